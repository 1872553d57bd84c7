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

/** A stored answer without personal data. Its structure stays, as far as a repeated request needs it. */
export function withoutPersonalValues(answer: string): string {
  return JSON.stringify(JSON.parse(answer), (name, value: unknown) => {
    if (LEFT_OUT.has(name)) return Array.isArray(value) ? [] : undefined
    if (typeof value !== 'string') return value
    if (name === 'email' || name === 'emailMasked') return ERASED.email
    return TEXTS.has(name) ? ERASED.text : value
  })
}
