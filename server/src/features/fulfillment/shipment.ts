import type { Carriage, Shipment } from './fulfillment.ts'
import { FulfilmentError } from './fulfillment-error.ts'

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

/** Takes a parcel as it is described. Throws {@link FulfilmentError} where shoppers could not be shown it. */
export function shipmentOf({ reference, ...carriage }: ShipmentDraft): Shipment {
  return { reference: word('reference', reference), ...carriageOf(carriage) }
}

/** The same for carrier and tracking only. */
export function carriageOf({ carrier, trackingNumber, trackingUrl }: CarriageDraft): Carriage {
  return {
    carrier: carrier === undefined ? null : word('carrier', carrier),
    trackingNumber: trackingNumber === undefined ? null : word('tracking number', trackingNumber),
    trackingUrl: trackingUrl === undefined ? null : trackingAddress(trackingUrl),
  }
}

/** Why a parcel failed or was lost. */
export function noteOf(text: string): string {
  const note = text.trim()
  if (note === '' || note.length > 500) throw new FulfilmentError('invalid', 'A reason has 1 to 500 characters.')
  return note
}

function word(what: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > WORD_MAX || CONTROL.test(trimmed)) {
    throw new FulfilmentError('invalid', `The ${what} has 1 to ${WORD_MAX} characters on one line.`)
  }
  return trimmed
}

/** Shoppers follow it: a web address without credentials. */
function trackingAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  if (!isWeb || url.username !== '' || url.password !== '' || url.href.length > URL_MAX) {
    throw new FulfilmentError('invalid', `"${text}" is no web address that shoppers could follow.`)
  }
  return url.href
}
