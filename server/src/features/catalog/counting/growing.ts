export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** The growth factor of an array that is too short. Doubling would waste up to half of the memory. */
const GROWTH = 1.125
const LENGTH_MIN = 64

/** The same array, or a longer copy of it. */
export function grown<Array extends Uint32Array | Int32Array>(values: Array, length: number): Array {
  if (length <= values.length) return values
  const longer = new (values.constructor as new (length: number) => Array)(longerThan(values.length, length))
  longer.set(values)
  return longer
}

function longerThan(length: number, needed: number): number {
  return Math.max(needed, Math.ceil(length * GROWTH), LENGTH_MIN)
}

/** Array types for whole numbers, narrowest first. The last one can store every amount of money. */
const WIDTHS = [
  { of: Uint8Array, max: 0xff },
  { of: Uint16Array, max: 0xff_ff },
  { of: Uint32Array, max: 0xff_ff_ff_ff },
  { of: Float64Array, max: Number.MAX_SAFE_INTEGER },
] as const

/** Whole numbers by place, initially zero, stored as narrow as the largest of them allows. */
export class NumberColumn {
  values: Numbers

  constructor(length = 0) {
    this.values = new Uint8Array(length)
  }

  set(place: number, value: number): void {
    const width = WIDTHS.find(
      ({ of, max }) => value <= max && of.BYTES_PER_ELEMENT >= this.values.BYTES_PER_ELEMENT,
    )!.of
    if (place >= this.values.length || width.BYTES_PER_ELEMENT > this.values.BYTES_PER_ELEMENT) {
      const { values } = this
      this.values = new width(place < values.length ? values.length : longerThan(values.length, place + 1))
      this.values.set(values)
    }
    this.values[place] = value
  }

  /** The values of at least this many places, for loops that read them. */
  upTo(length: number): Numbers {
    if (this.values.length < length) this.set(length - 1, 0)
    return this.values
  }
}
