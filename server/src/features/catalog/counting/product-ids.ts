import { assert } from '../../../kernel/assert.ts'
import { grown } from './growing.ts'

const PREFIX = 'prod_'
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LETTERS = 26
const LENGTH = PREFIX.length + LETTERS
/** An id has 128 bits: four words of 32. */
const WORDS = 4
const UNKNOWN = 32
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code))
  return value < 0 ? UNKNOWN : value
})

/**
 * Numbers products in the order in which they are first seen. A million ids take more than 100 MB as strings in a map, and 24 MB as
 * 128 bits each with a hash table.
 */
export class ProductIds {
  #words = new Uint32Array(0)
  /** Places plus one, by hash; linear probing, at most half full. */
  #table = new Int32Array(1024)
  #size = 0
  readonly #packed = new Uint32Array(WORDS)

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#words.byteLength + this.#table.byteLength
  }

  /** The place of a product, or -1. */
  find(id: string): number {
    return pack(id, this.#packed) ? this.#table[this.#probe()]! - 1 : -1
  }

  /** The place of a product. A new product gets the next place. */
  findOrAdd(id: string): number {
    assert(pack(id, this.#packed), `an id of a product: ${id}`)
    const at = this.#probe()
    if (this.#table[at] !== 0) return this.#table[at]! - 1
    const place = this.#size
    this.#words = grown(this.#words, (place + 1) * WORDS)
    this.#words.set(this.#packed, place * WORDS)
    this.#table[at] = place + 1
    this.#size += 1
    if (this.#size * 2 > this.#table.length) this.#rehash()
    return place
  }

  /** The id of the product at a place. */
  at(place: number): string {
    return unpack(this.#words.subarray(place * WORDS, (place + 1) * WORDS))
  }

  /** The slot of the packed id in the table, or a free slot for it. */
  #probe(): number {
    const mask = this.#table.length - 1
    let at = hashOf(this.#packed, 0) & mask
    while (this.#table[at] !== 0 && !this.#isPackedAt(this.#table[at]! - 1)) at = (at + 1) & mask
    return at
  }

  #isPackedAt(place: number): boolean {
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#words[place * WORDS + word] !== this.#packed[word]) return false
    }
    return true
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2)
    const mask = table.length - 1
    for (let place = 0; place < this.#size; place += 1) {
      let at = hashOf(this.#words, place * WORDS) & mask
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = place + 1
    }
    this.#table = table
  }
}

function hashOf(words: Uint32Array, from: number): number {
  let hash = 0
  for (let word = 0; word < WORDS; word += 1) {
    hash = Math.imul(hash ^ words[from + word]!, 0x9e37_79b1)
    hash ^= hash >>> 15
  }
  return hash
}

/** Packs an id: a prefix and 26 letters of five bits each, the first of three bits. False if the text is not a product id. */
function pack(id: string, into: Uint32Array): boolean {
  if (id.length !== LENGTH || !id.startsWith(PREFIX) || id.charCodeAt(PREFIX.length) > 0x37) return false
  let [bits, pending, word] = [-2, 0, 0]
  for (let at = PREFIX.length; at < LENGTH; at += 1) {
    const value = VALUES[id.charCodeAt(at)] ?? UNKNOWN
    if (value === UNKNOWN) return false
    pending = pending * 32 + value
    bits += 5
    if (bits < 32) continue
    bits -= 32
    into[word] = Math.floor(pending / 2 ** bits)
    word += 1
    pending %= 2 ** bits
  }
  return true
}

function unpack(words: Uint32Array): string {
  const letters: string[] = []
  let [bits, pending] = [0, 0]
  for (let word = WORDS - 1; word >= 0; word -= 1) {
    pending += words[word]! * 2 ** bits
    bits += 32
    while (bits >= 5) {
      letters.push(ALPHABET[pending % 32]!)
      pending = Math.floor(pending / 32)
      bits -= 5
    }
  }
  letters.push(ALPHABET[pending]!)
  return PREFIX + letters.reverse().join('')
}
