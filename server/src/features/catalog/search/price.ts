import { minorOf } from '../../../kernel/currencies.ts'
import { visibleText } from '../text-normalization.ts'
import { PRICE_WORDS } from './words/index.ts'

/** The longest query that can be searched, in characters. */
export const QUERY_MAX = 200

/** The price in a query, in minor units, and the rest of the query. */
export interface AskedPrice {
  /** As it was typed: `under $500`. */
  readonly text: string
  readonly rest: string
  readonly min: number | null
  readonly max: number | null
}

/** The signs and words that shoppers write for currencies. A dollar is that of the market. */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['JPY', 'CNY'],
  euro: ['EUR'],
  euros: ['EUR'],
  dollar: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  dollars: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  yen: ['JPY'],
  franken: ['CHF'],
}
/** Currency codes that are not words, unlike `TRY`, `ALL` and `CUP`. */
const CODES = 'eur usd gbp chf jpy cny cad aud nzd sek nok dkk pln czk huf inr krw brl mxn'.split(' ')

const anyOf = (words: readonly string[]) =>
  words.map((word) => word.replaceAll(/[$.]/g, '\\$&').replaceAll(' ', '\\s+')).join('|')
const SIGN = `(?:${anyOf([...Object.keys(CURRENCIES).sort((a, b) => b.length - a.length), ...CODES])})`
const amount = (separators: string) =>
  `(?:${SIGN}\\s*)?(?:\\d{1,3}(?:[${separators}]\\d{3})+|\\d{1,9})(?:[.,](?:\\d{1,2}|[-–]{1,2}))?(?:\\s*${SIGN})?`
const AMOUNT = amount(".,'’")
/** An amount after a word, where `1 000` is one number. In `phone 15 500-700 €` it is two. */
const SPACED_AMOUNT = amount(".,'’ ")
const { between, to, below, above, belowOrTo, aboveOrFrom } = PRICE_WORDS
const START = '(?<![\\p{Letter}\\p{Number}.,])'
const END = '(?![\\p{Letter}\\p{Number}])'

interface Form {
  readonly pattern: RegExp
  readonly ends: readonly ('min' | 'max')[]
  /** Whether the words may mean something else too, so that a currency has to be given. */
  readonly isVague: boolean
}

const form = (pattern: string, ends: Form['ends'], isVague: boolean): Form => ({
  pattern: new RegExp(`${START}${pattern}${END}`, 'giu'),
  ends,
  isVague,
})
/** The order matters: `between 100 and 200` contains other forms. */
const FORMS: readonly Form[] = [
  form(
    `(?:${anyOf(between)})\\s+(${SPACED_AMOUNT})\\s*(?:${anyOf(to)}|[-–])\\s*(${SPACED_AMOUNT})`,
    ['min', 'max'],
    false,
  ),
  form(`(?:(?:${anyOf(aboveOrFrom)})\\s+)?(${AMOUNT})\\s*(?:${anyOf(to)}|[-–])\\s*(${AMOUNT})`, ['min', 'max'], true),
  form(`(?:${anyOf(below)}|[<≤])\\s*(${SPACED_AMOUNT})`, ['max'], false),
  form(`(?:${anyOf(above)}|[>≥])\\s*(${SPACED_AMOUNT})`, ['min'], false),
  form(`(?:${anyOf(belowOrTo)})(?:\\.\\s*|\\s+)(${SPACED_AMOUNT})`, ['max'], true),
  form(`(?:${anyOf(aboveOrFrom)})(?:\\.\\s*|\\s+)(${SPACED_AMOUNT})`, ['min'], true),
]

/**
 * Finds the price in a query: `laptop under 500`, `bis 50 €`, `$20-$40`. `null` if there is none, if the query is nothing else, or if
 * its currency is not the one that prices are shown in. A number without a currency is a price only at the end of the query, and after
 * words that leave no other meaning.
 */
export function askedPrice(q: string, currency: string): AskedPrice | null {
  // An umlaut may be two characters, and a space one that does not break.
  const query = visibleText(q.normalize('NFKC'))
  if (query.length > QUERY_MAX) return null
  for (const { pattern, ends, isVague } of FORMS) {
    for (const match of query.matchAll(pattern)) {
      const before = query.slice(0, match.index).trim()
      const after = query.slice(match.index + match[0].length).replace(/^\s*[.,;!?]*\s*/, '')
      const rest = `${before} ${after}`.trim()
      const amounts = match.slice(1).map((text) => amountOf(text!, currency))
      if (rest === '' || amounts.some((amount) => amount === null)) continue
      const isNamed = amounts.some((amount) => amount!.isNamed)
      if (!isNamed && (isVague || after !== '')) continue
      const [first, second] = amounts.map((amount) => amount!.minor).sort((a, b) => a - b)
      return {
        text: match[0].trim(),
        rest,
        min: ends[0] === 'min' ? first! : null,
        max: ends.at(-1) === 'max' ? (second ?? first!) : null,
      }
    }
  }
  return null
}

/** Parses an amount as it was typed; `null` if its currency is another one. */
function amountOf(text: string, currency: string): { readonly minor: number; readonly isNamed: boolean } | null {
  const [typed, digits] = /(\d[\d.,'’ ]*(?<=\d))(?:[.,][-–]+)?/.exec(text)!
  const signs = text.replace(typed, ' ').trim().toLowerCase().split(/\s+/).filter(Boolean)
  const isOurs = (sign: string) => sign.toUpperCase() === currency || (CURRENCIES[sign]?.includes(currency) ?? false)
  if (!signs.every(isOurs)) return null
  // Three digits after a separator are thousands, one or two are a fraction.
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits!)!
  const minor = minorOf(`${whole.replaceAll(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`, currency)
  // `500,-` is a price.
  return minor === null ? null : { minor: Number(minor), isNamed: signs.length > 0 || typed !== digits }
}
