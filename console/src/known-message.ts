/** Where a value is in a message of the API: `{1}` in `Enter at most {1} words.`, in the order of the values. */
const VALUE = /\{(\d)\}/
/** A value, which does not go on into the next sentence. */
const ANY = '((?:(?!\\. ).)+?)'

type Texts = Readonly<Record<string, string>>

/**
 * Translates messages of the API, with the values in them. A message may be several sentences or have a place before it, such as
 * the column of a file: `Price: "x" is not an amount in EUR.` An unknown message, or part of one, is returned unchanged.
 */
export function messageTranslator(texts: Texts): (english: string) => string {
  let patterns: readonly (readonly [pattern: RegExp, text: string])[] | undefined

  const known = (english: string): string | null => {
    if (Object.hasOwn(texts, english)) return texts[english]!
    patterns ??= patternsOf(texts)
    for (const [pattern, text] of patterns) {
      const values = pattern.exec(english)
      if (values) return text.replaceAll(/\{(\d)\}/g, (_, number) => valueText(values[Number(number)]!))
    }
    return null
  }
  /** A value may be a message itself. A single word, such as the name of an option, is left as it is. */
  const valueText = (value: string): string => (value.includes(' ') ? translateMessage(value) : value)
  const sentence = (english: string): string => {
    const [, place = '', rest = ''] = /^(.*?: )(.+)$/s.exec(english) ?? []
    return known(english) ?? (rest === '' ? english : place + (known(rest) ?? rest))
  }
  const translateMessage = (english: string): string =>
    known(english) ??
    english
      .split(/(?<=\.) /)
      .map(sentence)
      .join(' ')
  return translateMessage
}

/** The most specific pattern first. */
function patternsOf(texts: Texts): readonly (readonly [pattern: RegExp, text: string])[] {
  return Object.entries(texts)
    .filter(([english]) => VALUE.test(english))
    .sort(([one], [other]) => other.length - one.length)
    .map(([english, text]) => [patternOf(english), text])
}

function patternOf(english: string): RegExp {
  const parts = english.split(VALUE).map((part, index) => (index % 2 === 0 ? escaped(part) : ANY))
  // A value at the end without a period is a message, of any length: `Line {1}: {2}`.
  if (parts.at(-1) === '') parts[parts.length - 2] = '(.+)'
  return new RegExp(`^${parts.join('')}$`, 's')
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
