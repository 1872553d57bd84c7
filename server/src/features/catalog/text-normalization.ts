/**
 * A text as it is compared: lower case, without accents, compatible forms made one (`Ⅻ` is `xii`, `ß` is `ss`). Used for
 * sort keys, search words and queries alike, so that all three agree on every PostgreSQL, whatever its locale.
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

/** The words of a text, folded, each once, in order of appearance. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(fold(text).match(/[\p{Letter}\p{Number}]+/gu) ?? [])]
}

/** The longest key that is kept: enough to order by, and far below the size limit of an index row. */
const SORT_KEY_MAX = 200

/** What names are sorted by: folded, with numbers in order of size (`2` before `10`), compared byte by byte. */
export function sortKey(name: string): string {
  return fold(name)
    .trim()
    .replace(/\d{1,15}/g, (digits) => digits.padStart(15, '0'))
    .slice(0, SORT_KEY_MAX)
}

/** Lower case words joined by hyphens, or `undefined` where the text has no letter or digit of the Latin alphabet. */
export function slugOf(text: string, lengthMax = 120): string | undefined {
  const slug = (fold(text).match(/[a-z0-9]+/g) ?? []).join('-').slice(0, lengthMax).replace(/-+$/, '')
  return slug === '' ? undefined : slug
}
