import { type CountRow, VALUES_MAX } from '../reading/facet-store.ts'

interface ValueCount {
  readonly value: string
  readonly count: number
}

/** The first values of a facet: chosen ones, then the most frequent, then by bytes, as SQL sorts them. Without values that have no products. */
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

/** The values that can be among the first. Sorting all texts would take long. */
function frequent<Value extends ValueCount>(values: readonly Value[], chosen: ReadonlySet<string>): Value[] {
  if (values.length <= VALUES_MAX) return [...values]
  const least = Uint32Array.from(values, ({ count }) => count).sort()[values.length - VALUES_MAX]!
  return values.filter(({ value, count }) => count >= least || chosen.has(value))
}

/** The order of the collation "C". JavaScript sorts strings with surrogate pairs differently. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
