/** Invisible characters, such as the soft hyphen. A space without width separates words, like any other space. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}--\u200B]+/gv

/**
 * Most texts have only ASCII characters, of which none is invisible, has an accent or belongs to an unspaced script. The expressions for
 * those took 5 % of the processor time of a search in the server, where suggestions fold dozens of names.
 */
const ASCII = /^[\0-\x7f]*$/

/** A text without invisible characters, which pages and spreadsheets put into words: `Kaffee\u00ADmaschine` is one word. */
export function visibleText(text: string): string {
  return ASCII.test(text) ? text : text.replace(INVISIBLE, '')
}

/**
 * Folds a text for comparison: lower case, no accents, no invisible characters, compatible forms unified (`Ⅻ` is `xii`, `ß` is `ss`). Sort keys, search
 * documents and queries all use it, so that they agree on every PostgreSQL, whatever its locale.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[[\p{Mark}\p{Default_Ignorable_Code_Point}]--\u200B]+/gv, '')
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
  return [...new Set(spacedScripts(fold(text)).match(/[\p{Letter}\p{Number}]+/gu) ?? [])]
}

/** Letters of scripts that put no spaces between words, with their marks. */
const UNSPACED =
  /(?:[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&\p{Letter}]\p{Mark}*)+/gv

/** Puts spaces around runs of these scripts, as the index does: `USBケーブル` is two words. */
export function spacedScripts(text: string): string {
  return ASCII.test(text) ? text : text.replace(UNSPACED, ' $& ')
}

/** A text in quotation marks, or an inch mark after a number. */
const QUOTED_OR_INCHES = /((?<!\p{Number})"[^"]*")|(?<=\p{Number})(?:["”]|''|′′)/gu

/**
 * Reduces a folded text to words and numbers: `DVD/Blu-ray` is three words and `5,1` a number. PostgreSQL's parser would find paths,
 * hosts and signs. A unit after a decimal becomes a separate word, `1.2 l`; `17"` is `17 inch`, and `USB 3.0` is `usb 3`.
 */
export function plainWords(folded: string): string {
  return spacedScripts(folded)
    .replace(QUOTED_OR_INCHES, (_, quoted?: string) => quoted ?? ' inch ')
    .replace(/(?<=\p{Number}),(?=\p{Number})/gu, '.')
    .replace(/(?<=\d\.\d+)(?=\p{Letter})/gu, ' ')
    .replace(/(?<=(?<![\d.])\d+)\.0(?![\d.])/gu, '')
    .replace(/(?<!\p{Number})\.|\.(?!\p{Number})|[^\p{Letter}\p{Number}.]+/gu, ' ')
    .trim()
}

/** The folded words and numbers of a text, in order, with a space between them. */
export function foldedText(text: string): string {
  return plainWords(fold(text))
}

/** The folded words and numbers of a text, in order. */
export function foldedWords(text: string): readonly string[] {
  return foldedText(text).split(' ')
}

/** Whether a word has letters of a script that puts no spaces between words. */
export function isUnspaced(word: string): boolean {
  return !ASCII.test(word) && word.search(UNSPACED) >= 0
}

/**
 * A folded text for the index. A run of letters of an unspaced script becomes overlapping pairs and its last letter, so that any
 * part of it is found: `カップ` is `カッ ップ プ`.
 */
export function indexedText(folded: string): string {
  return folded.replace(UNSPACED, (run) => ` ${[...pairsOf(run), [...run].at(-1)].join(' ')} `)
}

/** The overlapping pairs of letters of a word: `カップ` is `カッ`, `ップ`. */
export function pairsOf(run: string): readonly string[] {
  const letters = [...run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** In characters: enough to sort by, and far below the size limit of an index row. */
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
// Invisible characters separate words here: categories of files are found by the slugs that their names have always had.
export function slugOf(text: string, lengthMax = 120): string | undefined {
  const slug = (fold(text.replace(INVISIBLE, ' ')).match(/[a-z0-9]+/g) ?? [])
    .join('-')
    .slice(0, lengthMax)
    .replace(/-+$/, '')
  return slug === '' ? undefined : slug
}
