import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * A unit for `fc.string`: any code point, like `binary`, which builds a map of all 1.1 million code points at its first use
 * (0.7 s of processor time).
 */
export const codePoints = fc.nat(0x10ffff - SURROGATES.count).map(
  (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
  // The inverse function lets fast-check also try the names of JavaScript's built-in properties.
  (text) => {
    const [only, ...more] = String(text)
    const at = only?.codePointAt(0)
    if (at === undefined || more.length > 0) throw new Error('It is not one code point.')
    return at < SURROGATES.first ? at : at - SURROGATES.count
  },
)
