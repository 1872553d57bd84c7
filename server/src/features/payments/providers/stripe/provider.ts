import type { Stripe } from 'stripe'
import type { Environment } from '../../../../kernel/environment.ts'
import type {
  LookupAnswer,
  NoAnswer,
  Notification,
  NotificationRequest,
  PaymentProvider,
  ProviderCall,
  ProviderDispute,
} from '../provider.ts'
import {
  answerAbout,
  type ChargeState,
  disputeOf,
  expired,
  failedCall,
  METADATA,
  refundAnswer,
  stateOfSession,
  unknown,
} from './answers.ts'
import { StripeClients, type StripeSettings } from './client.ts'
import { hostedPage } from './hosted-page.ts'
import { checkStripeKeys } from './rights.ts'

/**
 * Currencies for which Stripe uses other minor units than ISO 4217, or rounds. Not offered: a wrong factor is a wrong price.
 *
 * @see https://docs.stripe.com/currencies
 */
const OTHER_UNITS = ['BHD', 'CLF', 'IQD', 'ISK', 'JOD', 'KWD', 'LYD', 'MGA', 'OMR', 'TND', 'UGX', 'UYI', 'UYW']

/** The object of a signed event. A dispute names the payment and has no metadata. */
interface AboutPayment {
  readonly payment_intent?: string | object | null
  readonly metadata?: Readonly<Record<string, string>> | null
}

/**
 * Stripe with its hosted page: the shopper pays at Stripe, and no card data reaches this service.
 *
 * @see docs/decisions/0096-stripe.md
 */
export function stripeProvider(settings: StripeSettings & { readonly pagesUrl: string }): PaymentProvider {
  const clients = new StripeClients(settings)
  const { keys, currencies, storeIds, capture: capturing } = settings

  const asking = async <Answer>(
    { environment, signal }: Pick<ProviderCall, 'environment' | 'signal'>,
    ask: (stripe: Stripe) => Promise<Answer>,
  ): Promise<Answer | NoAnswer> => {
    const client = clients.of(environment)
    if (client === null) return unknown(`there is no key for ${environment}`)
    const answer = client.then(ask).catch((error: unknown) => {
      const failure = failedCall(error)
      return failure.kind === 'refused' ? unknown(failure.code) : failure
    })
    return inTime<Answer | NoAnswer>(signal, answer, unknown('no answer in time'))
  }

  const sending = (call: ProviderCall, send: (stripe: Stripe) => Promise<LookupAnswer>) =>
    asking(call, send).then((answer) => (answer.kind === 'never_seen' ? unknown('not done') : answer))

  return {
    name: 'stripe',
    isManual: false,
    isHosted: true,
    needsOrder: true,
    takes: (place) =>
      keys[place.environment] !== null &&
      !OTHER_UNITS.includes(place.currency) &&
      (currencies?.includes(place.currency) ?? true) &&
      (storeIds === null || place.storeIds.every((id) => storeIds.includes(id))),
    capturesLater: (environment) => capturing[environment] === 'later',
    authorize: (call) => sending(call, (stripe) => authorize(stripe, call, settings)),
    capture: (call) => sending(call, (stripe) => capture(stripe, call)),
    cancel: (call) => sending(call, (stripe) => cancel(stripe, call, settings)),
    refund: (call) => sending(call, (stripe) => refund(stripe, call)),
    lookup: (call) => asking(call, (stripe) => lookup(stripe, call)),
    disputes: (charge) => asking(charge, (stripe) => disputes(stripe, charge.reference)),
    async problemsIn(environment) {
      const checks = await checkStripeKeys(settings)
      const of = checks.filter((check) => check.environment === environment)
      return of.flatMap(({ problem, missing }) => [
        ...(problem === null ? [] : [problem]),
        ...missing.map((right) => `The key lacks ${right}.`),
      ])
    },
    verify: (request, now) => verified(clients, settings, request, now),
  }
}

type Place = Parameters<typeof hostedPage>[2]

async function authorize(stripe: Stripe, call: ProviderCall, place: Place): Promise<LookupAnswer> {
  try {
    return answerAbout('authorize', stateOfSession(await createPage(stripe, call, place)))
  } catch (error) {
    return definite(failedCall(error))
  }
}

/** Create the hosted page. Repeated under its key, Stripe returns the same page. */
async function createPage(stripe: Stripe, call: ProviderCall, place: Place): Promise<Stripe.Checkout.Session> {
  if (call.order === null) throw new Error('a page needs the order')
  const request = hostedPage(call, call.order, place)
  return underKey(call.authorizeKey, (key) => stripe.checkout.sessions.create(request, key))
}

/** The number of keys to try while Stripe only replays an earlier error. */
const KEYS_MAX = 3

/**
 * Send under an idempotency key. Stripe replays errors under a key for a day, its own server errors included, so a request that is
 * known to have failed is sent under another key. That cannot have a second effect: capture and void depend on the state of the payment,
 * refunds are searched first, and no shopper knows a page whose request had no answer.
 */
async function underKey<Result>(
  key: string,
  send: (options: { readonly idempotencyKey: string }) => Promise<Result>,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await send({ idempotencyKey: number === 1 ? key : `${key}:${number}` })
    } catch (error) {
      const { headers } = error as Partial<Stripe.errors.StripeError>
      if (headers?.['idempotent-replayed'] !== 'true' || number === KEYS_MAX) throw error
    }
  }
}

async function capture(stripe: Stripe, call: ProviderCall): Promise<LookupAnswer> {
  const state = await stateOf(stripe, call.reference)
  if (state?.kind !== 'payment' || state.payment.status !== 'requires_capture') return looked('capture', state)
  const { id } = state.payment
  const captured = await underKey(call.key, (key) =>
    stripe.paymentIntents.capture(id, { amount_to_capture: Number(call.amount) }, key),
  )
  return answerAbout('capture', { kind: 'payment', payment: captured })
}

async function cancel(stripe: Stripe, call: ProviderCall, place: Place): Promise<LookupAnswer> {
  const reference = call.reference ?? (await lostPage(stripe, call, place))
  if (reference === null)
    return { kind: 'done', reference: call.intentId, amount: call.amount, currency: call.currency }
  const state = await stateOf(stripe, reference)
  if (state === null) return unknown('no such charge')
  if (state.kind === 'payment') {
    const { payment } = state
    const answer = answerAbout('void', state)
    if (answer.kind !== 'never_seen') return answer
    const canceled = await underKey(voidKey(call, payment.id), (key) =>
      stripe.paymentIntents.cancel(payment.id, {}, key),
    )
    return answerAbout('void', { kind: 'payment', payment: canceled })
  }
  if (state.kind === 'expired') return expired(await stripe.checkout.sessions.retrieve(reference))
  return expired(await underKey(voidKey(call, reference), (key) => stripe.checkout.sessions.expire(reference, {}, key)))
}

/**
 * The page whose request had no answer: repeated under its key, Stripe returns it, and it can be closed.
 *
 * @returns `null` if Stripe refuses to create it: no shopper knows a page for this charge, and none can be paid
 */
async function lostPage(stripe: Stripe, call: ProviderCall, place: Place): Promise<string | null> {
  try {
    return (await createPage(stripe, call, place)).id
  } catch (error) {
    if (failedCall(error).kind === 'refused') return null
    throw error
  }
}

/** A page may become a payment between two attempts, and Stripe refuses a different request under the same key. */
function voidKey({ key }: ProviderCall, id: string): string {
  return `${key}:${id}`
}

async function refund(stripe: Stripe, call: ProviderCall): Promise<LookupAnswer> {
  if (call.chargeReference === null) return unknown('the charge has no reference')
  const made = await findRefund(stripe, call)
  if (made) return refundAnswer(made)
  try {
    const request = {
      payment_intent: call.chargeReference,
      amount: Number(call.amount),
      metadata: { [METADATA.intent]: call.intentId, [METADATA.key]: call.key },
    }
    return refundAnswer(await underKey(call.key, (key) => stripe.refunds.create(request, key)))
  } catch (error) {
    return definite(failedCall(error))
  }
}

/** The answer for a failed request that creates an object: if it was refused, nothing was created. */
function definite(failure: ReturnType<typeof failedCall>): LookupAnswer {
  return failure.kind === 'refused' ? { kind: 'declined', code: failure.code } : failure
}

async function lookup(stripe: Stripe, call: ProviderCall): Promise<LookupAnswer> {
  if (call.step === 'refund') {
    const found = call.reference ? await stripe.refunds.retrieve(call.reference) : await findRefund(stripe, call)
    return found ? refundAnswer(found) : { kind: 'never_seen' }
  }
  const state = await stateOf(stripe, call.reference)
  if (call.step === 'void' && state?.kind === 'expired') {
    return expired(await stripe.checkout.sessions.retrieve(state.reference))
  }
  return looked(call.step, state)
}

/** Without a reference, the request for the page had no answer. It is repeated under its key: no shopper has seen the page. */
function looked(step: ProviderCall['step'], state: ChargeState | null): LookupAnswer {
  return state === null ? { kind: 'never_seen' } : answerAbout(step, state)
}

const PAGE_PREFIX = 'cs_'

async function stateOf(stripe: Stripe, reference: string | null): Promise<ChargeState | null> {
  if (reference === null) return null
  if (reference.startsWith(PAGE_PREFIX)) {
    return stateOfSession(
      await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent.latest_charge'] }),
    )
  }
  const payment = await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })
  return { kind: 'payment', payment }
}

async function disputes(stripe: Stripe, reference: string): Promise<readonly ProviderDispute[]> {
  const { data } = await stripe.disputes.list({ payment_intent: reference, limit: 100 })
  return data.map(disputeOf)
}

/** Find a refund by our key in its metadata: Stripe forgets idempotency keys after a day. */
async function findRefund(stripe: Stripe, { chargeReference, key }: ProviderCall): Promise<Stripe.Refund | null> {
  if (chargeReference === null) return null
  for await (const refund of stripe.refunds.list({ payment_intent: chargeReference, limit: 100 })) {
    if (refund.metadata?.[METADATA.key] === key) return refund
  }
  return null
}

/** The answer, or `ifLate` once the signal aborts. The client's timeout ends each request of a call that continues. */
function inTime<Answer>(signal: AbortSignal, answer: Promise<Answer>, ifLate: Answer): Promise<Answer> {
  const late = new Promise<Answer>((resolve) => {
    const end = () => resolve(ifLate)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  return Promise.race([answer, late])
}

const INTENT_ID = /^pay_[0-9a-z]{26}$/
/** Stripe's own tolerance, for replays. */
const TOLERANCE_SECONDS = 300

async function verified(
  clients: StripeClients,
  { webhookSecrets }: StripeSettings,
  { headers, body }: NotificationRequest,
  now: Date,
): Promise<Notification | null> {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') return null
  for (const environment of ['live', 'test'] as const satisfies readonly Environment[]) {
    const secret = webhookSecrets[environment]
    const client = await clients.of(environment)
    const event = secret !== null && client && signedEvent(client, { body, signature, secret }, now)
    // The secret of one environment must not sign events of the other.
    if (event && event.livemode === (environment === 'live')) return notificationOf(event)
  }
  return null
}

function signedEvent(
  { webhooks, errors }: Stripe,
  signed: { readonly body: Buffer; readonly signature: string; readonly secret: string },
  now: Date,
): Stripe.Event | null {
  try {
    const { body, signature, secret } = signed
    return webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}

/** Read only which payment the event is about: what happened is looked up. */
function notificationOf({ id, type, data }: Stripe.Event): Notification {
  const { metadata, payment_intent: payment } = data.object as AboutPayment
  const intentId = metadata?.[METADATA.intent] ?? ''
  const reference = typeof payment === 'string' ? payment : null
  const isDispute = type.startsWith('charge.dispute.')
  return { id, key: INTENT_ID.test(intentId) ? intentId : null, reference, isDispute }
}
