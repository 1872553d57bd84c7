import { ERASED } from './places.ts'

/** Members of stored answers that contain personal data. */
const TEXTS = new Set([
  'recipientName',
  'company',
  'line1',
  'line2',
  'line3',
  'dependentLocality',
  'city',
  'postalCode',
  'region',
  'vatId',
  'firstName',
  'lastName',
  'description',
  'note',
  'instructions',
  'declineReason',
  'clientReferenceId',
  'reference',
  'text',
])
const LEFT_OUT = new Set([
  'phone',
  'metadata',
  'trackingUrl',
  'trackingNumber',
  'evidence',
  'notes',
  'tags',
  'vatCheck',
])

/** An installation may have put anything into its URLs. */
const URLS = new Set(['returnUrl', 'cancelUrl'])

/**
 * Names of the texts in stored answers that say nothing about shoppers: they are about goods, stores, operators and installations. A
 * test compares all these lists with the operations whose answers are stored, so that no new member is missing.
 */
export const ABOUT_NO_SHOPPER =
  `alt by carrier code error invalid jurisdiction keyIds kid loginUrl mail message missing name orderNumber
  origins paidWith path reason redirectUris returnAddress returnUrls secretHint source srcset title type url value version
  waitingFor words`.split(/\s+/)

/** The names of members that {@link withoutPersonalValues} changes or leaves out. */
export const PERSONAL: ReadonlySet<string> = new Set([...TEXTS, ...LEFT_OUT, ...URLS, 'email', 'emailMasked'])

/** A stored answer without personal data. Its structure stays, as far as a repeated request needs it. */
export function withoutPersonalValues(answer: string): string {
  return JSON.stringify(JSON.parse(answer), (name, value: unknown) => {
    if (LEFT_OUT.has(name)) return Array.isArray(value) ? [] : undefined
    if (typeof value !== 'string') return value
    if (name === 'email' || name === 'emailMasked') return ERASED.email
    if (URLS.has(name)) return ERASED.url
    return TEXTS.has(name) ? ERASED.text : value
  })
}
