import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { assert } from '../../../../kernel/assert.ts'
import { inSpan, traceHeaders } from '../../../../platform/observe/tracing.ts'
import {
  type NoAnswer,
  type Notification,
  type NotificationRequest,
  PAYMENT_PATHS,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderDispute,
  type TestOutcome,
} from '../provider.ts'
import { type BankDispute, type BankOperation, DONE } from './bank.ts'
import type { Fault } from './faults.ts'
import { isSigned, SIGNATURE_HEADER } from './notification-signature.ts'

/** Sends a request to the simulator. Rejects without an answer. */
export type SendToSimulator = (request: {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}) => Promise<{ readonly status: number; readonly body: string }>

interface SimulatorSettings {
  readonly secret: string
  /** Public URL of the pages door: notifications and shoppers go there. */
  readonly pagesUrl: string
  readonly send: SendToSimulator
}

/**
 * Sends over HTTP on kept-alive connections. Uses Node's own client: a call by `fetch` takes 0.5 ms of processor time, this one
 * 0.2, the simulator's part included.
 */
export function overHttp(simulatorUrl: string): SendToSimulator {
  const isSecure = simulatorUrl.startsWith('https:')
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = isSecure ? requestHttps : requestHttp
  return ({ path, body = '', headers, method, signal }) => {
    const attributes = { 'http.request.method': method, 'url.path': path }
    return inSpan('payment.call', { kind: 'client', attributes }, async (span) => {
      const length = method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }
      const options = { method, agent, signal, headers: { ...headers, ...traceHeaders(), ...length } }
      const answer = await new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
        const fail = (error: Error) => reject(signal.aborted ? signal.reason : error)
        request(`${simulatorUrl}${path}`, options, (response) => {
          text(response).then((content) => resolve({ status: response.statusCode ?? 0, body: content }), fail)
        })
          .on('error', fail)
          .end(body)
      })
      span.setAttribute('http.response.status_code', answer.status)
      return answer
    })
  }
}

/** The fields of a readable answer. */
interface ReplyBody {
  readonly status: string
  readonly reference?: string
  /** Minor units. */
  readonly amount?: string
  readonly currency?: string
  readonly failureCode?: string
  readonly actionUrl?: string
  readonly reason?: string
}

/** The faults of each outcome. With `no_answer`, the first lookups fail too, so that the shopper sees the waiting page. */
const FAULTS_OF: Readonly<Record<TestOutcome, readonly Fault[]>> = {
  disputed: [{ fault: 'disputed', operation: 'capture' }],
  pays: [],
  declined: [{ fault: 'decline', operation: 'authorize' }],
  bank_asks: [{ fault: 'ask_shopper', operation: 'authorize' }],
  reserves: [],
  settles: [{ fault: 'settles', operation: 'authorize' }],
  bounces: [{ fault: 'bounces', operation: 'authorize' }],
  no_answer: [
    { fault: 'effect_without_answer', operation: 'authorize' },
    { fault: 'effect_without_answer', operation: 'lookup' },
    { fault: 'effect_without_answer', operation: 'lookup' },
  ],
}

/** The simulator as a provider, in the test environment only. */
export function simulatorProvider(settings: SimulatorSettings): PaymentProvider {
  const { secret, pagesUrl, send } = settings
  const authorization = `Bearer ${secret}`

  async function ask(operation: BankOperation, call: ProviderCall): Promise<ProviderAnswer> {
    const { returnPath, key, authorizeKey, amount, currency, signal } = call
    const addresses = {
      returnUrl: `${pagesUrl}${returnPath}`,
      notifyUrl: `${pagesUrl}${PAYMENT_PATHS.notifications.replace(':provider', 'simulator')}`,
    }
    const order = {
      payment: authorizeKey,
      amount: String(amount),
      currency,
      ...(operation === 'authorize' && addresses),
    }
    return reached(async () => {
      const answer = await send({
        method: 'POST',
        path: `/v1/${operation}`,
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(order),
        signal,
      })
      return answerOf(operation, answer)
    })
  }

  const lookup: PaymentProvider['lookup'] = ({ key, step, signal }) =>
    reached(async () => {
      const path = `/v1/operations/${encodeURIComponent(key)}`
      const answer = await send({ method: 'GET', path, headers: { authorization }, signal })
      if (answer.status === 404 && replyOf(answer)?.status === 'never_seen') return { kind: 'never_seen' }
      return answerOf(step, answer)
    })

  /** Money has moved only if the books confirm the answer. */
  async function askAndCheck(operation: BankOperation, call: ProviderCall): Promise<ProviderAnswer> {
    const answer = await ask(operation, call)
    if (answer.kind !== 'done') return answer
    const found = await lookup(call)
    if (found.kind === 'never_seen') return unknown(`answered ${DONE[operation]}, but has no record of it`)
    return found
  }

  return {
    name: 'simulator',
    isManual: false,
    takes: ({ environment }) => environment === 'test',
    capturesLater: (_environment, outcome) => outcome === 'reserves',
    async rehearse({ key, signal }, outcome) {
      for (const fault of FAULTS_OF[outcome]) {
        const headers = { authorization, 'content-type': 'application/json' }
        // For any step of the intent.
        const body = JSON.stringify({ ...fault, key: key.split(':')[0] })
        const { status } = await send({ method: 'POST', path: '/control/faults', headers, body, signal })
        assert(status === 200, `the simulator takes a fault, and answered ${status}`)
      }
    },
    authorize: (call) => ask('authorize', call),
    capture: (call) => askAndCheck('capture', call),
    cancel: (call) => askAndCheck('void', call),
    refund: (call) => askAndCheck('refund', call),
    lookup,
    disputes: ({ authorizeKey, signal }) => disputesIn(settings, authorizeKey, signal),
    verify: async (request, now) => verified(secret, request, now),
  }
}

/** The disputes of a payment. */
function disputesIn(
  { secret, send }: SimulatorSettings,
  payment: string,
  signal: AbortSignal,
): Promise<readonly ProviderDispute[] | NoAnswer> {
  return reached(async () => {
    const path = `/v1/disputes/${encodeURIComponent(payment)}`
    const answer = await send({ method: 'GET', path, headers: { authorization: `Bearer ${secret}` }, signal })
    if (answer.status !== 200) return unknown(String(answer.status))
    const { disputes } = JSON.parse(answer.body) as { readonly disputes: readonly BankDispute[] }
    return disputes.map(disputeOf)
  })
}

const RESPOND_MS = 7 * 86_400_000

function disputeOf({ reference, amount, currency, status, openedAt }: BankDispute): ProviderDispute {
  const opened = new Date(openedAt)
  const respondBy = status === 'open' ? new Date(opened.getTime() + RESPOND_MS) : null
  const facts = { reason: 'product_not_received', respondBy, url: null, openedAt: opened }
  return { reference, amount: BigInt(amount), currency, status, ...facts }
}

async function reached<Answer>(ask: () => Promise<Answer>): Promise<Answer | NoAnswer> {
  try {
    return await ask()
  } catch (error) {
    const { name, message, cause } = error as Error
    const why = name === 'TimeoutError' ? 'no answer in time' : cause instanceof Error ? cause.message : message
    return unknown(why || name)
  }
}

const AMOUNT = /^\d{1,16}$/

/** Interprets a status and body that belong together. Everything else is unknown. */
function answerOf(
  operation: BankOperation,
  answer: { readonly status: number; readonly body: string },
): ProviderAnswer {
  const read = replyOf(answer)
  if (!read) return unknown(`${answer.status}, unreadable`)
  const { status, reference, amount, currency, failureCode, actionUrl, reason } = read
  if (answer.status === 409 && status === 'refused') return refusedOf(operation, reason)
  if (answer.status !== 200 || reference === undefined) return unknown(`${answer.status} ${status}`)
  if (status === DONE[operation]) {
    if (!AMOUNT.test(amount ?? '') || currency === undefined) return unknown(`${status}, without an amount`)
    return { kind: 'done', reference, amount: BigInt(amount as string), currency }
  }
  if (status === 'pending' && operation === 'authorize') return { kind: 'pending', reference }
  if (status === 'declined') return { kind: 'declined', code: failureCode ?? 'declined' }
  if (status === 'action_required' && actionUrl !== undefined)
    return { kind: 'action_required', reference, url: actionUrl }
  return unknown(`${answer.status} ${status}`)
}

function refusedOf(operation: BankOperation, reason: string | undefined): ProviderAnswer {
  if (reason === 'already_captured') return { kind: 'contradicted', by: 'capture', detail: reason }
  if (reason === 'payment_never_seen' && operation === 'capture') {
    return { kind: 'contradicted', by: 'authorize', detail: reason }
  }
  if (reason === 'payment_never_seen' && operation === 'refund') return { kind: 'declined', code: reason }
  return unknown(`409 ${reason}`)
}

function replyOf({ body }: { readonly body: string }): ReplyBody | null {
  try {
    const read = JSON.parse(body) as Readonly<Record<string, unknown>> | null
    return typeof read?.status === 'string' ? (Object.fromEntries(textsOf(read)) as unknown as ReplyBody) : null
  } catch {
    return null
  }
}

function textsOf(read: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(read).filter(([, value]) => typeof value === 'string')
}

function verified(secret: string, { headers, body }: NotificationRequest, now: Date): Notification | null {
  if (!isSigned(secret, headers[SIGNATURE_HEADER], body, now)) return null
  const { id, key, status } = JSON.parse(body.toString('utf8')) as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof key === 'string' ? { id, key, isDispute: status === 'disputed' } : null
}

function unknown(detail: string): NoAnswer {
  return { kind: 'unknown', detail }
}
