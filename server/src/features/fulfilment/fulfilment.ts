import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { machine, transition } from '../../kernel/state-machine.ts'
import { FulfilmentError } from './fulfilment-error.ts'

/** A handing over, from its being owed to its end. @see CONTRACT, State machines, Fulfilment intent */
export const fulfilmentMachine = machine({
  initial: 'pending',
  finals: ['confirmed', 'reconciled', 'stopped'],
  transitions: {
    pending: { dispatch: 'dispatched', stop: 'stopped' },
    dispatched: { correct: 'dispatched', confirm: 'confirmed', fail: 'failed', lose: 'unknown' },
    // Only somebody who knows where it is moves it: it came after all, or it did not.
    unknown: { correct: 'unknown', reconcile: 'reconciled', fail: 'failed' },
    failed: { correct: 'failed', resend: 'dispatched' },
    confirmed: {},
    reconciled: {},
    stopped: {},
  },
})

export const INTENT_STATUSES = [
  'pending',
  'dispatched',
  'unknown',
  'failed',
  'confirmed',
  'reconciled',
  'stopped',
] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]
export type IntentCommand = 'dispatch' | 'stop' | 'correct' | 'confirm' | 'fail' | 'lose' | 'reconcile' | 'resend'

/** In words that an operator would use. */
const WAYS: Readonly<Record<IntentCommand, string>> = {
  dispatch: 'shipped',
  stop: 'stopped',
  correct: 'corrected',
  confirm: 'delivered',
  fail: 'failed',
  lose: 'lost',
  reconcile: 'delivered',
  resend: 'sent again',
}

/** By hand, with a carrier; or by a mail with keys from a pool. */
export type Method = 'manual' | 'digital'

/** So many units of a line of an order. */
export interface LineUnits {
  readonly lineId: string
  readonly quantity: number
}

/** How a parcel is recognised, by the operator and by its carrier. */
export interface Shipment {
  /** The operator's own name for it: the same one again is the same parcel. Ours for what we mail. */
  readonly reference: string
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
}

/** Who carries a parcel, and how it is followed. */
export type Carriage = Omit<Shipment, 'reference'>

interface IntentFacts {
  readonly id: string
  readonly orderId: string
  readonly storeId: string
  readonly environment: Environment
  readonly method: Method
  /** The first part is what was owed at the beginning; each parcel or stop that takes some of it is another one. */
  readonly part: number
  readonly lines: readonly LineUnits[]
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** It is owed, and can be stopped. */
export interface PendingIntent extends IntentFacts {
  readonly status: 'pending'
  /** What it waits for, where it cannot go on by itself. */
  readonly waitingFor: string | null
}

/** It was handed over, and this is what became of it. */
export interface SentIntent extends IntentFacts {
  readonly status: 'dispatched' | 'unknown' | 'failed' | 'confirmed' | 'reconciled'
  readonly shipment: Shipment
  readonly dispatchedAt: Date
  /** Why it failed, or what is not known. */
  readonly note: string | null
  /** When it was in the right hands. */
  readonly deliveredAt: Date | null
}

/** It was called off before it was handed over. */
export interface StoppedIntent extends IntentFacts {
  readonly status: 'stopped'
}

export type Intent = PendingIntent | SentIntent | StoppedIntent

/** Hands over all that is owed by it. Throws {@link FulfilmentError}. */
export function dispatched(intent: Intent, shipment: Shipment, now: Date): SentIntent {
  const status = next(intent, 'dispatch')
  assert(status === 'dispatched' && !('shipment' in intent), 'what is dispatched is on its way for the first time')
  const sent = { status, shipment, dispatchedAt: now, note: null, deliveredAt: null } as const
  return { ...factsOf(intent), ...changedAt(intent, now), ...sent }
}

/** Sends once more what did not arrive: the same units, as the same parcel. Throws {@link FulfilmentError}. */
export function sentAgain(intent: Intent, carriage: Carriage, now: Date): SentIntent {
  const status = next(intent, 'resend')
  const sent = sentOf(intent)
  const again = { status, note: null, dispatchedAt: now, shipment: { ...sent.shipment, ...carriage } }
  return { ...sent, ...changedAt(intent, now), ...again } as SentIntent
}

/** It is in the right hands, whether or not we had lost sight of it. Throws {@link FulfilmentError}. */
export function delivered(intent: Intent, now: Date): SentIntent {
  const status = next(intent, intent.status === 'unknown' ? 'reconcile' : 'confirm')
  return { ...sentOf(intent), ...changedAt(intent, now), status, deliveredAt: now } as SentIntent
}

/** It came back, or is gone: it may be sent once more. Throws {@link FulfilmentError}. */
export function failed(intent: Intent, note: string, now: Date): SentIntent {
  const status = next(intent, 'fail')
  return { ...sentOf(intent), ...changedAt(intent, now), status, note } as SentIntent
}

/** Nobody can say where it is. Throws {@link FulfilmentError}. */
export function lost(intent: Intent, note: string, now: Date): SentIntent {
  const status = next(intent, 'lose')
  return { ...sentOf(intent), ...changedAt(intent, now), status, note } as SentIntent
}

/** The carrier or the number was written down wrongly. The reference stays. Throws {@link FulfilmentError}. */
export function corrected(intent: Intent, carriage: Carriage, now: Date): SentIntent {
  const status = next(intent, 'correct')
  const sent = sentOf(intent)
  return { ...sent, ...changedAt(intent, now), status, shipment: { ...sent.shipment, ...carriage } } as SentIntent
}

/** It is no longer owed. Throws {@link FulfilmentError}. */
export function stopped(intent: Intent, now: Date): StoppedIntent {
  const status = next(intent, 'stop')
  assert(status === 'stopped', 'what is stopped stays here')
  return { ...factsOf(intent), ...changedAt(intent, now), status }
}

/** It cannot go on by itself, and this is why. */
export function waiting(intent: PendingIntent, waitingFor: string, now: Date): PendingIntent {
  return { ...intent, ...changedAt(intent, now), waitingFor }
}

/** What an operator does with what was sent, by the commands of which the machine knows at least one. */
const PARCEL_STEPS = {
  deliver: ['confirm', 'reconcile'],
  fail: ['fail'],
  lose: ['lose'],
  correct: ['correct'],
  send_again: ['resend'],
} as const satisfies Readonly<Record<string, readonly IntentCommand[]>>
export type ParcelStep = keyof typeof PARCEL_STEPS

/** What an operator can do with a parcel now. */
export function parcelStepsOf({ status }: Pick<Intent, 'status'>): readonly ParcelStep[] {
  const can = (command: IntentCommand) =>
    transition<IntentStatus, IntentCommand>(fulfilmentMachine, status, command).moved
  return (Object.keys(PARCEL_STEPS) as ParcelStep[]).filter((step) => PARCEL_STEPS[step].some(can))
}

/** What is taken of a pending intent for a parcel or a stop, and what it owes still. */
export interface Split {
  /** The intent itself where it is taken as a whole; else a further part, which is new. */
  readonly taken: PendingIntent
  /** Null where nothing is left. */
  readonly left: PendingIntent | null
}

/**
 * Takes units of what is owed. None appears and none is lost: what is taken and what is left are together what was there.
 * Throws {@link FulfilmentError} where there is not so much.
 */
export function split(
  intent: PendingIntent,
  units: readonly LineUnits[],
  { id, part, now }: { readonly id: string; readonly part: number; readonly now: Date },
): Split {
  const wanted = summed(units)
  for (const [lineId, quantity] of wanted) {
    const owed = quantityOf(intent.lines, lineId)
    if (quantity > owed) throw new FulfilmentError('too_many', `Of line ${lineId} ${owed} are left, not ${quantity}.`)
  }
  const left = intent.lines
    .map(({ lineId, quantity }) => ({ lineId, quantity: quantity - (wanted.get(lineId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
  if (left.length === 0) return { taken: intent, left: null }
  const lines = [...wanted].map(([lineId, quantity]) => ({ lineId, quantity }))
  const taken = { ...intent, id, part, lines, version: 1, waitingFor: null, createdAt: now, updatedAt: now }
  return { taken, left: { ...intent, ...changedAt(intent, now), lines: left } }
}

/** The units of each line, each line once. Throws {@link FulfilmentError} for none, or for less than one. */
function summed(units: readonly LineUnits[]): ReadonlyMap<string, number> {
  if (units.length === 0) throw new FulfilmentError('invalid', 'Say which units.')
  const sums = new Map<string, number>()
  for (const { lineId, quantity } of units) {
    if (!Number.isInteger(quantity) || quantity < 1) {
      throw new FulfilmentError('invalid', `Units of line ${lineId} are a whole number from 1.`)
    }
    sums.set(lineId, (sums.get(lineId) ?? 0) + quantity)
  }
  return sums
}

export function quantityOf(lines: readonly LineUnits[], lineId: string): number {
  return lines.find((line) => line.lineId === lineId)?.quantity ?? 0
}

/** The number of the next part of the same store and method. */
export function nextPart(intents: readonly Intent[], { storeId, method }: Pick<Intent, 'storeId' | 'method'>): number {
  const same = intents.filter((each) => each.storeId === storeId && each.method === method)
  return Math.max(0, ...same.map(({ part }) => part)) + 1
}

function next(intent: Intent, command: IntentCommand): IntentStatus {
  const moved = transition<IntentStatus, IntentCommand>(fulfilmentMachine, intent.status, command)
  if (moved.moved) return moved.to
  const { allowed } = moved.conflict
  const sentence = `${intent.id} is ${intent.status}: ${allowed.length === 0 ? 'it is over' : `it can be ${allowed.map((each) => WAYS[each]).join(', ')}`}.`
  throw new FulfilmentError('wrong_state', sentence)
}

function sentOf(intent: Intent): SentIntent {
  assert(intent.status !== 'pending' && intent.status !== 'stopped', 'only what was sent has a shipment')
  return intent
}

function factsOf({ id, orderId, storeId, environment, method, part, lines, version, createdAt }: Intent) {
  return { id, orderId, storeId, environment, method, part, lines, version, createdAt }
}

function changedAt({ version }: Pick<Intent, 'version'>, now: Date) {
  return { version: version + 1, updatedAt: now }
}
