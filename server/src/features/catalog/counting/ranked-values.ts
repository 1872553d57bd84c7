import { type CountRow, VALUES_MAX } from '../reading/facet-store.ts'

interface ValueCount {
  readonly value: string
  readonly count: number
}

/** The first values of a facet: those chosen, then the most frequent, then by bytes, as SQL sorts them. Values without products are none. */
export function ranked<Value extends ValueCount>(
  facet: string,
  values: readonly Value[],
  chosen: readonly string[] = [],
): readonly (Value & CountRow)[] {
  const isChosen = new Set(chosen)
  return frequent(
    values.filter(({ count }) => count > 0),
    isChosen,
  )
    .sort(
      (a, b) =>
        Number(isChosen.has(b.value)) - Number(isChosen.has(a.value)) ||
        b.count - a.count ||
        compareBytes(a.value, b.value),
    )
    .slice(0, VALUES_MAX)
    .map((each) => ({ example: null, ...each, facet }))
}

/** Those that can be among the first: sorting texts is what takes long. */
function frequent<Value extends ValueCount>(values: readonly Value[], chosen: ReadonlySet<string>): Value[] {
  if (values.length <= VALUES_MAX) return [...values]
  const least = Uint32Array.from(values, ({ count }) => count).sort()[values.length - VALUES_MAX]!
  return values.filter(({ value, count }) => count >= least || chosen.has(value))
}

/** The order of the collation "C". That of strings differs where they have surrogates. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
