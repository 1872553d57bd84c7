/**
 * Whole words in texts: `T-10001` is not in `T-100017`, nor `ada@example.com` in `o.ada@example.com` or `ada@example.com.au`. After
 * an escape of JSON, as in `\nT-10001`, a word begins. The expressions mean the same in PostgreSQL and in JavaScript.
 */
const beginning = (letter: string) => String.raw`((?<![${letter}_.+@-]|[${letter}]')|(?<=\\[bfnrt]))`
const end = (letter: string) => String.raw`(?![${letter}_@]|[.+-][${letter}])`

/** The SQL condition that a text has one of the words of the person. A search without expression comes first: it is fast. */
export function hasWordSql(text: string): string {
  const escaped = String.raw`regexp_replace(word, '([][\\^$.|?*+(){}])', '\\\1', 'g')`
  const expression = `'${beginning('[:alnum:]').replaceAll("'", "''")}' || ${escaped} || '${end('[:alnum:]')}'`
  return `exists (select from unnest(person.words) word
    where strpos(lower(${text}), word) > 0 and lower(${text}) ~ (${expression}))`
}

/** Whether a text has one of the words, which are in lower case. */
export function hasWord(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  const letter = String.raw`\p{L}\p{N}`
  const escaped = (word: string) => word.replace(/[\][\\^$.|?*+(){}/]/g, '\\$&')
  return words.some(
    (word) => lower.includes(word) && new RegExp(`${beginning(letter)}${escaped(word)}${end(letter)}`, 'u').test(lower),
  )
}
