/**
 * Folds a text for comparison: lower case, no accents, compatible forms unified (`Ⅻ` is `xii`, `ß` is `ss`). Sort keys, search
 * documents and queries all use it, so that they agree on every PostgreSQL, whatever its locale.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
}

/** The distinct folded words of a text, in order. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(fold(text).match(/[\p{Letter}\p{Number}]+/gu) ?? [])]
}

/** Enough to sort by, and far below the size limit of an index row. */
const SORT_KEY_MAX = 200

/** The sort key of a name: folded, with numbers padded (`2` before `10`), compared bytewise. */
export function sortKey(name: string): string {
  return fold(name)
    .trim()
    .replace(/\d{1,15}/g, (digits) => digits.padStart(15, '0'))
    .slice(0, SORT_KEY_MAX)
    .toWellFormed()
}

/** Lowercase words joined by hyphens; `undefined` if the text has no Latin letter or digit. */
export function slugOf(text: string, lengthMax = 120): string | undefined {
  const slug = (fold(text).match(/[a-z0-9]+/g) ?? []).join('-').slice(0, lengthMax).replace(/-+$/, '')
  return slug === '' ? undefined : slug
}
