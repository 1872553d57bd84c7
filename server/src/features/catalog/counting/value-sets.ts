import { grown } from './growing.ts'

/** Texts, numbered in the order in which they are first seen. */
export class Texts {
  readonly #numbers = new Map<string, number>()
  readonly all: string[] = []

  numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.all.length)
    this.all.push(text)
    return this.all.length - 1
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}

/**
 * Sets of texts, such as the categories of a product. Products share few sets: 200,000 generated products have 2,000 category sets, and
 * counting sets first is several times faster than counting each value of each product. Set 0 means no set, set 1 is the empty set.
 */
export class ValueSets {
  readonly texts = new Texts()
  #members = new Uint32Array(0)
  #ends = new Uint32Array(2)
  #table = new Int32Array(256)
  #size = 2

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#members.byteLength + this.#ends.byteLength + this.#table.byteLength
  }

  /** The number of a set. The order of its values does not matter. */
  numberOf(values: readonly string[]): number {
    if (values.length === 0) return 1
    const members = [...new Set(values.map((value) => this.texts.numberOf(value)))].sort((a, b) => a - b)
    const mask = this.#table.length - 1
    let at = hashOf(members) & mask
    while (this.#table[at] !== 0 && !this.#has(this.#table[at]!, members)) at = (at + 1) & mask
    return this.#table[at] === 0 ? this.#add(members, at) : this.#table[at]!
  }

  /** The numbers of the texts of a set. */
  membersOf(set: number): Uint32Array {
    return this.#members.subarray(set === 0 ? 0 : this.#ends[set - 1], this.#ends[set])
  }

  /** For each set, whether it has one of these values. */
  withAny(values: readonly string[]): Uint8Array {
    const wanted = new Set(values.flatMap((value) => this.texts.find(value) ?? []))
    return Uint8Array.from({ length: this.#size }, (_, set) =>
      Number(this.membersOf(set).some((each) => wanted.has(each))),
    )
  }

  /** The texts of counted sets, each with the sum of the counts and the lowest place of its sets. */
  countsOfTexts(
    countsOfSets: Uint32Array,
    placesOfSets: Uint32Array,
  ): { text: string; count: number; first: number }[] {
    const counts = new Uint32Array(this.texts.all.length)
    const firsts = new Uint32Array(this.texts.all.length).fill(0xff_ff_ff_ff)
    for (const [set, count] of countsOfSets.entries()) {
      if (count === 0) continue
      for (const text of this.membersOf(set)) {
        counts[text]! += count
        firsts[text] = Math.min(firsts[text]!, placesOfSets[set]!)
      }
    }
    return this.texts.all.flatMap((text, number) =>
      counts[number] === 0 ? [] : [{ text, count: counts[number]!, first: firsts[number]! }],
    )
  }

  #add(members: readonly number[], at: number): number {
    const set = this.#size
    const begin = this.#ends[set - 1]!
    this.#members = grown(this.#members, begin + members.length)
    this.#members.set(members, begin)
    this.#ends = grown(this.#ends, set + 1)
    this.#ends[set] = begin + members.length
    this.#table[at] = set
    this.#size += 1
    if (this.#size * 2 > this.#table.length) this.#rehash()
    return set
  }

  #has(set: number, members: readonly number[]): boolean {
    const own = this.membersOf(set)
    return own.length === members.length && members.every((member, index) => own[index] === member)
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2)
    const mask = table.length - 1
    for (let set = 2; set < this.#size; set += 1) {
      let at = hashOf(this.membersOf(set)) & mask
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = set
    }
    this.#table = table
  }
}

function hashOf(members: Iterable<number>): number {
  let hash = 0
  for (const member of members) {
    hash = Math.imul(hash ^ member, 0x9e37_79b1)
    hash ^= hash >>> 15
  }
  return hash
}
