import { refuseField } from '../../kernel/refusal.ts'
import type { Carriage, Shipment } from './fulfillment.ts'

const WORD_MAX = 100
const URL_MAX = 2048
const CONTROL = /\p{Cc}/u

/** A parcel as entered by the operator. */
export interface ShipmentDraft extends CarriageDraft {
  readonly reference: string
}

/** Carrier and tracking as entered by the operator. */
export interface CarriageDraft {
  readonly carrier?: string | undefined
  readonly trackingNumber?: string | undefined
  readonly trackingUrl?: string | undefined
}

/** Validates and normalizes a parcel. Refuses `validation_failed` if it cannot be shown to shoppers. */
export function shipmentOf({ reference, ...carriage }: ShipmentDraft): Shipment {
  return { reference: word('reference', reference), ...carriageOf(carriage) }
}

/** Validates and normalizes carrier and tracking. Refuses `validation_failed`. */
export function carriageOf({ carrier, trackingNumber, trackingUrl }: CarriageDraft): Carriage {
  return {
    carrier: carrier === undefined ? null : word('carrier', carrier),
    trackingNumber: trackingNumber === undefined ? null : word('trackingNumber', trackingNumber),
    trackingUrl: trackingUrl === undefined ? null : trackingAddress(trackingUrl),
  }
}

/** Validates the reason that a parcel failed or was lost. Refuses `validation_failed`. */
export function noteOf(text: string): string {
  const note = text.trim()
  if (note === '' || note.length > 500) refuseField('reason', 'invalid', 'The reason must have 1 to 500 characters.')
  return note
}

function word(field: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > WORD_MAX || CONTROL.test(trimmed)) {
    refuseField(field, 'invalid', `Must have 1 to ${WORD_MAX} characters on one line.`)
  }
  return trimmed
}

/** Normalizes a tracking URL. Shoppers open it, so it must be a web address without credentials. */
function trackingAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  if (!isWeb || url.username !== '' || url.password !== '' || url.href.length > URL_MAX) {
    refuseField('trackingUrl', 'invalid', `"${text}" is not a web address that shoppers can open.`)
  }
  return url.href
}
