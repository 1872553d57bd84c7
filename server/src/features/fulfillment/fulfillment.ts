import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'

/** States of a fulfillment intent. @see docs/reference/rules.md#fulfillment-intent */
export const fulfillmentMachine = machine({
  initial: 'pending',
  finals: ['confirmed', 'reconciled', 'stopped'],
  transitions: {
    pending: { dispatch: 'dispatched', stop: 'stopped' },
    dispatched: { correct: 'dispatched', confirm: 'confirmed', fail: 'failed', lose: 'unknown' },
    // Only a known result leaves `unknown`: it was delivered, or it failed.
    unknown: { correct: 'unknown', reconcile: 'reconciled', fail: 'failed' },
    failed: { correct: 'failed', resend: 'dispatched' },
    confirmed: {},
    reconciled: {},
    stopped: {},
  },
})

export const FULFILLMENT_STATUSES = [
  'pending',
  'dispatched',
  'unknown',
  'failed',
  'confirmed',
  'reconciled',
  'stopped',
] as const
export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number]
type FulfillmentCommand = 'dispatch' | 'stop' | 'correct' | 'confirm' | 'fail' | 'lose' | 'reconcile' | 'resend'

/** `manual`: shipped with a carrier. `digital`: license keys by mail. */
export type Method = 'manual' | 'digital'

/** Units of an order line. */
export interface LineUnits {
  readonly lineId: string
  readonly quantity: number
}

/** Reference, carrier and tracking of a parcel. */
export interface Shipment {
  /** The operator's name for the parcel. Shipping with the same reference again returns the same parcel. Generated for mails. */
  readonly reference: string
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
}

/** Carrier and tracking of a parcel. */
export type Carriage = Omit<Shipment, 'reference'>

interface IntentFacts {
  readonly id: string
  readonly orderId: string
  readonly storeId: string
  readonly environment: Environment
  readonly method: Method
  /** Part 1 is the initial intent. Each parcel or stop that takes units from it is a further part. */
  readonly part: number
  readonly lines: readonly LineUnits[]
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An intent whose units were not handed over yet. It can be stopped. */
export interface PendingIntent extends IntentFacts {
  readonly status: 'pending'
  /** The missing keys, if it cannot proceed. */
  readonly waitingFor: string | null
}

/** An intent whose units were handed over. */
export interface SentIntent extends IntentFacts {
  readonly status: 'dispatched' | 'unknown' | 'failed' | 'confirmed' | 'reconciled'
  readonly shipment: Shipment
  readonly dispatchedAt: Date
  /** The reason that it failed or was lost. */
  readonly note: string | null
  /** When it was delivered. */
  readonly deliveredAt: Date | null
}

/** An intent that was stopped before its units were handed over. */
interface StoppedIntent extends IntentFacts {
  readonly status: 'stopped'
}

export type FulfillmentIntent = PendingIntent | SentIntent | StoppedIntent

/** Hands over all units of a pending intent. Refusals: `state_conflict`. */
export function dispatched(intent: FulfillmentIntent, shipment: Shipment, now: Date): SentIntent {
  const status = next(intent, 'dispatch')
  assert(status === 'dispatched' && !('shipment' in intent), 'an intent is dispatched once')
  const sent = { status, shipment, dispatchedAt: now, note: null, deliveredAt: null } as const
  return { ...factsOf(intent), ...changedAt(intent, now), ...sent }
}

/** Sends a failed parcel again: the same units under the same id. Refusals: `state_conflict`. */
export function sentAgain(intent: FulfillmentIntent, carriage: Carriage, now: Date): SentIntent {
  const status = next(intent, 'resend')
  const sent = sentOf(intent)
  const again = { status, note: null, dispatchedAt: now, shipment: { ...sent.shipment, ...carriage } }
  return { ...sent, ...changedAt(intent, now), ...again } as SentIntent
}

/** Records the delivery of a dispatched parcel, or of one whose location was unknown. Refusals: `state_conflict`. */
export function delivered(intent: FulfillmentIntent, now: Date): SentIntent {
  const status = next(intent, intent.status === 'unknown' ? 'reconcile' : 'confirm')
  return { ...sentOf(intent), ...changedAt(intent, now), status, deliveredAt: now } as SentIntent
}

/** Records that a parcel came back or is gone. It can be sent again. Refusals: `state_conflict`. */
export function failed(intent: FulfillmentIntent, note: string, now: Date): SentIntent {
  const status = next(intent, 'fail')
  return { ...sentOf(intent), ...changedAt(intent, now), status, note } as SentIntent
}

/** Marks a parcel whose location is unknown. Refusals: `state_conflict`. */
export function lost(intent: FulfillmentIntent, note: string, now: Date): SentIntent {
  const status = next(intent, 'lose')
  return { ...sentOf(intent), ...changedAt(intent, now), status, note } as SentIntent
}

/** Corrects the carrier or the tracking number. The reference stays. Refusals: `state_conflict`. */
export function corrected(intent: FulfillmentIntent, carriage: Carriage, now: Date): SentIntent {
  const status = next(intent, 'correct')
  const sent = sentOf(intent)
  return { ...sent, ...changedAt(intent, now), status, shipment: { ...sent.shipment, ...carriage } } as SentIntent
}

/** Stops a pending intent. Refusals: `state_conflict`. */
export function stopped(intent: FulfillmentIntent, now: Date): StoppedIntent {
  const status = next(intent, 'stop')
  assert(status === 'stopped', 'a stopped intent is stopped')
  return { ...factsOf(intent), ...changedAt(intent, now), status }
}

/** Records what a pending intent waits for. */
export function waiting(intent: PendingIntent, waitingFor: string, now: Date): PendingIntent {
  return { ...intent, ...changedAt(intent, now), waitingFor }
}

/** The commands of each operator action on a parcel. An action is allowed if one of its commands is. */
const PARCEL_STEPS = {
  deliver: ['confirm', 'reconcile'],
  fail: ['fail'],
  lose: ['lose'],
  correct: ['correct'],
  send_again: ['resend'],
} as const satisfies Readonly<Record<string, readonly FulfillmentCommand[]>>
type ParcelStep = keyof typeof PARCEL_STEPS

/** The actions that an operator can take on a parcel now. */
export function parcelStepsOf({ status }: Pick<FulfillmentIntent, 'status'>): readonly ParcelStep[] {
  const can = (command: FulfillmentCommand) =>
    transition<FulfillmentStatus, FulfillmentCommand>(fulfillmentMachine, status, command).moved
  return (Object.keys(PARCEL_STEPS) as ParcelStep[]).filter((step) => PARCEL_STEPS[step].some(can))
}

/** A pending intent, split for a parcel or a stop. */
export interface Split {
  /** The intent itself if it is taken as a whole; else a new part. */
  readonly taken: PendingIntent
  /** `null` if nothing is left. */
  readonly left: PendingIntent | null
}

/**
 * Takes units from a pending intent. The taken units and the rest add up to those of the intent.
 * Refuses `validation_failed` if fewer units are pending.
 */
export function split(
  intent: PendingIntent,
  units: readonly LineUnits[],
  { id, part, now }: { readonly id: string; readonly part: number; readonly now: Date },
): Split {
  const wanted = summed(units)
  for (const [lineId, quantity] of wanted) {
    const owed = quantityOf(intent.lines, lineId)
    if (quantity > owed) refuseField('lines', 'too_many', `Line ${lineId} has ${owed} units left, not ${quantity}.`)
  }
  const left = intent.lines
    .map(({ lineId, quantity }) => ({ lineId, quantity: quantity - (wanted.get(lineId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
  if (left.length === 0) return { taken: intent, left: null }
  const lines = [...wanted].map(([lineId, quantity]) => ({ lineId, quantity }))
  const taken = { ...intent, id, part, lines, version: 1, waitingFor: null, createdAt: now, updatedAt: now }
  return { taken, left: { ...intent, ...changedAt(intent, now), lines: left } }
}

/** Sums the units of each line. Refuses `validation_failed` for an empty list, or a quantity that is not a positive integer. */
export function summed(units: readonly LineUnits[]): ReadonlyMap<string, number> {
  if (units.length === 0) refuseField('lines', 'invalid', 'List the units.')
  const sums = new Map<string, number>()
  for (const { lineId, quantity } of units) {
    if (!Number.isInteger(quantity) || quantity < 1) {
      refuseField('lines', 'invalid', `The quantity of line ${lineId} must be a whole number from 1.`)
    }
    sums.set(lineId, (sums.get(lineId) ?? 0) + quantity)
  }
  return sums
}

export function quantityOf(lines: readonly LineUnits[], lineId: string): number {
  return lines.find((line) => line.lineId === lineId)?.quantity ?? 0
}

/** The number of the next part of the same store and method. */
export function nextPart(
  intents: readonly FulfillmentIntent[],
  { storeId, method }: Pick<FulfillmentIntent, 'storeId' | 'method'>,
): number {
  const same = intents.filter((each) => each.storeId === storeId && each.method === method)
  return Math.max(0, ...same.map(({ part }) => part)) + 1
}

function next(intent: FulfillmentIntent, command: FulfillmentCommand): FulfillmentStatus {
  const moved = transition<FulfillmentStatus, FulfillmentCommand>(fulfillmentMachine, intent.status, command)
  if (moved.moved) return moved.to
  refuse('state_conflict', { conflict: { currentState: intent.status, allowed: [...parcelStepsOf(intent)] } })
}

function sentOf(intent: FulfillmentIntent): SentIntent {
  assert(intent.status !== 'pending' && intent.status !== 'stopped', 'only a dispatched intent has a shipment')
  return intent
}

function factsOf({ id, orderId, storeId, environment, method, part, lines, version, createdAt }: FulfillmentIntent) {
  return { id, orderId, storeId, environment, method, part, lines, version, createdAt }
}

function changedAt({ version }: Pick<FulfillmentIntent, 'version'>, now: Date) {
  return { version: version + 1, updatedAt: now }
}
