/**
 * The answers that clients got from a service, and a checker that compares them with the facts. It is pure and does not use the
 * service, whose own statements prove nothing.
 */

/** `done`: answered 200. `refused`: a 4xx after the key was looked up. `not_applied` and `unknown`: the `outcome` of the answer. */
export type Outcome = 'done' | 'refused' | 'not_applied' | 'unknown'

/** One request of a write. Times are milliseconds since a fixed moment. */
export interface Attempt {
  readonly outcome: Outcome
  readonly startedAt: number
  readonly endedAt: number
  /** 0 if there was no answer. */
  readonly status: number
  /** The body of a `done` answer. */
  readonly text?: string
  /** The id of the created object, if the answer has it. */
  readonly effectId?: string
}

export const WRITES = ['cart', 'line', 'quote', 'session', 'payment', 'cancellation'] as const
export type WriteKind = (typeof WRITES)[number]

/** A write with one idempotency key and all its attempts, in order. */
export interface Write {
  readonly kind: WriteKind
  readonly key: string
  readonly attempts: readonly Attempt[]
}

/** A read with the status of its answer; 0 if there was none. */
export interface Read {
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
  /** The cart and its version, if a cart was read. */
  readonly cart?: { readonly id: string; readonly version: number }
}

/** A version of a cart that was acknowledged. */
export interface KnownVersion {
  readonly cartId: string
  readonly version: number
  readonly at: number
}

/** One effect, found by the mark that its write stored in it. An effect that happened twice is in the list twice. */
export interface Effect {
  readonly kind: WriteKind
  readonly key: string
  readonly id: string
}

/** An order with its money, in minor units, by our records and by the provider's. */
export interface OrderMoney {
  readonly orderId: string
  readonly total: bigint
  readonly refunded: bigint
  readonly captures: readonly bigint[]
  readonly refunds: readonly bigint[]
}

/** The stock of a SKU. Units. */
export interface Stock {
  readonly skuId: string
  readonly initial: number
  readonly onHand: number
  readonly held: number
  /** The sum of the holds of all open checkouts. */
  readonly holds: number
  readonly ordered: number
  readonly canceled: number
}

/** An event that the receiver subscribed to. */
export interface StoredEvent {
  readonly id: string
  readonly subject: string
  readonly kind: string
  /** Counts the events of its subject, without gaps. */
  readonly sequence: number
}

/** The facts once no work is pending. */
export interface Facts {
  readonly effects: readonly Effect[]
  readonly orders: readonly OrderMoney[]
  /** Captures and refunds of the provider that belong to no order. */
  readonly strayMoney: readonly string[]
  readonly stock: readonly Stock[]
  readonly events: readonly StoredEvent[]
  /** The deliveries that the receiver got, in the order of arrival. */
  readonly arrivals: readonly { readonly eventId: string; readonly body: string }[]
}

export interface History {
  readonly writes: readonly Write[]
  readonly reads: readonly Read[]
  readonly versions: readonly KnownVersion[]
}

/** A slower answer is a violation. */
const ANSWER_MS_MAX = 60_000

/** Every contradiction between the history and the facts, as a sentence. */
export function violationsOf(history: History, facts: Facts): string[] {
  return [
    ...history.writes.flatMap(violationsOfAnswers),
    ...violationsOfEffects(history.writes, facts.effects),
    ...violationsOfReads(history),
    ...facts.orders.flatMap(violationsOfMoney),
    ...facts.strayMoney.map((entry) => `the provider moved money for no order: ${entry}`),
    ...facts.stock.flatMap(violationsOfStock),
    ...violationsOfEvents(facts),
  ]
}

const named = ({ kind, key }: { readonly kind: WriteKind; readonly key: string }) => `${kind} ${key}`

function violationsOfAnswers(write: Write): string[] {
  const found: string[] = []
  const texts = new Set(write.attempts.flatMap(({ text }) => text ?? []))
  if (texts.size > 1) found.push(`${named(write)}: one key, ${texts.size} different answers`)
  for (const { status, startedAt, endedAt } of write.attempts) {
    if (status >= 500 && status !== 503) found.push(`${named(write)}: answered ${status}`)
    if (endedAt - startedAt > ANSWER_MS_MAX) found.push(`${named(write)}: answered after ${endedAt - startedAt} ms`)
  }
  return found
}

/** How many effects a write may have. A retry with the same key shows the outcome of the attempts before it. */
function allowed({ attempts }: Write): { readonly min: 0 | 1; readonly max: 0 | 1 } {
  const has = (outcome: Outcome) => attempts.some((attempt) => attempt.outcome === outcome)
  if (has('done')) return { min: 1, max: 1 }
  if (attempts.at(-1)?.outcome === 'refused' || !has('unknown')) return { min: 0, max: 0 }
  return { min: 0, max: 1 }
}

function violationsOfEffects(writes: readonly Write[], effects: readonly Effect[]): string[] {
  const found: string[] = []
  const byWrite = Map.groupBy(effects, named)
  for (const write of writes) {
    const own = byWrite.get(named(write)) ?? []
    byWrite.delete(named(write))
    const { min, max } = allowed(write)
    const outcomes = write.attempts.map(({ outcome }) => outcome).join(', ')
    if (own.length < min) found.push(`${named(write)}: acknowledged, and absent (${outcomes})`)
    if (own.length > max) found.push(`${named(write)}: ${own.length} effects, at most ${max} allowed (${outcomes})`)
    const told = write.attempts.find(({ effectId }) => effectId !== undefined)?.effectId
    if (told !== undefined && own.length === 1 && own[0]?.id !== told) {
      found.push(`${named(write)}: made ${own[0]?.id}, and said ${told}`)
    }
  }
  for (const name of byWrite.keys()) found.push(`${name}: an effect without a request`)
  return found
}

/** A read that begins after a version was acknowledged must show that version or a later one. */
function violationsOfReads({ reads, versions }: History): string[] {
  const found: string[] = []
  const byCart = Map.groupBy(versions, ({ cartId }) => cartId)
  for (const { status, startedAt, endedAt, cart } of reads) {
    if (status >= 500 && status !== 503) found.push(`a read answered ${status}`)
    if (endedAt - startedAt > ANSWER_MS_MAX) found.push(`a read answered after ${endedAt - startedAt} ms`)
    if (!cart) continue
    const known = (byCart.get(cart.id) ?? []).filter(({ at }) => at < startedAt).map(({ version }) => version)
    const least = Math.max(0, ...known)
    if (cart.version < least) found.push(`cart ${cart.id}: version ${cart.version} was read after ${least}`)
  }
  return found
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

function violationsOfMoney({ orderId, total, refunded, captures, refunds }: OrderMoney): string[] {
  const found: string[] = []
  if (captures.length !== 1) found.push(`order ${orderId}: captured ${captures.length} times`)
  if (sum(captures) !== total) found.push(`order ${orderId}: captured ${sum(captures)}, and costs ${total}`)
  if (sum(refunds) !== refunded) found.push(`order ${orderId}: gave back ${sum(refunds)}, and says ${refunded}`)
  return found
}

function violationsOfStock({ skuId, initial, onHand, held, holds, ordered, canceled }: Stock): string[] {
  const found: string[] = []
  if (held !== holds) found.push(`stock of ${skuId}: ${held} held, and the holds are ${holds}`)
  const expected = initial - ordered + canceled
  if (onHand !== expected) found.push(`stock of ${skuId}: ${onHand} on hand, and ${expected} are left`)
  return found
}

function violationsOfEvents({ events, arrivals, effects, orders }: Facts): string[] {
  const found: string[] = []
  const ids = new Set(events.map(({ id }) => id))
  const bodies = Map.groupBy(arrivals, ({ eventId }) => eventId)
  for (const { id, kind } of events) if (!bodies.has(id)) found.push(`event ${id}: ${kind} was not delivered`)
  for (const [id, arrived] of bodies) {
    if (!ids.has(id)) found.push(`event ${id}: delivered, and does not exist`)
    if (new Set(arrived.map(({ body }) => body)).size > 1) found.push(`event ${id}: delivered with different bodies`)
  }
  for (const [subject, own] of Map.groupBy(events, (event) => event.subject)) {
    const sequences = own.map(({ sequence }) => sequence).sort((one, other) => one - other)
    if (sequences.some((sequence, index) => sequence !== index + 1)) {
      found.push(`events of ${subject}: their sequence is ${sequences.join(', ')}`)
    }
  }
  const sessions = effects.filter(({ kind }) => kind === 'session').map(({ id }) => id)
  const told = Map.groupBy(events, ({ kind, subject }) => `${kind} of ${subject}`)
  for (const expected of [
    ...sessions.map((id) => `checkout.session.created of ${id}`),
    ...orders.map(({ orderId }) => `order.created of ${orderId}`),
  ]) {
    const times = told.get(expected)?.length ?? 0
    if (times !== 1) found.push(`${expected}: ${times} events`)
  }
  return found
}
