import { translate, translateIfKnown } from '../../language.ts'

/** The email address of an operator, or the command line with the account of the system that used it. */
export function operatorName(email: string): string {
  return email.replace(/^command line(?=$| \()/, translate('command line'))
}

/** A text as a name in URLs: `Größe` becomes `groesse`. */
export function slugOf(text: string): string {
  const letters = text.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  const plain = letters
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
}

/** Splits a list that is separated by commas, spaces or lines. */
export function splitList(typed: File | string | null): string[] {
  return String(typed ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
}

/** Splits a list of URLs that is separated by lines or spaces. */
export function splitLines(typed: File | string | null): string[] {
  return String(typed ?? '')
    .split(/\s+/)
    .filter(Boolean)
}

/** Acronyms, and names of the API that are spelled in British English. */
const TERMS: ReadonlyMap<string, string> = new Map([
  ['id', 'ID'],
  ['ids', 'IDs'],
  ['url', 'URL'],
  ['urls', 'URLs'],
  ['uri', 'URI'],
  ['uris', 'URIs'],
  ['sku', 'SKU'],
  ['skus', 'SKUs'],
  ['catalogue', 'catalog'],
  ['fulfilment', 'fulfillment'],
  ['licence', 'license'],
])

/** An identifier such as `customer_request` or `refundAmount` in English words. */
function humanize(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replaceAll(/[a-z]+/g, (word) => TERMS.get(word) ?? word)
}

/**
 * An identifier in words with an initial capital, in the language of the console: `Customer request`. A kind of events, such as
 * `order.confirmed`, is a name of the API and stays as it is.
 */
export function sentenceCase(name: string): string {
  if (/^\w+\.\w+/.test(name)) return name
  const words = humanize(name)
  return translateIfKnown(words.charAt(0).toUpperCase() + words.slice(1))
}
