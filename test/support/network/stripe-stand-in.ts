import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { type Fault, takeFault } from '../../../server/src/features/payments/providers/simulator/faults.ts'
import { STRIPE_API_VERSION } from '../../../server/src/features/payments/providers/stripe/client.ts'
import { atFileEnd } from '../file-end.ts'

// Stripe's test mode as far as the adapter uses it: objects, idempotency, errors and the hosted page, in the package's own types.

export type StandInSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'status'
  | 'url'
  | 'amount_total'
  | 'currency'
  | 'metadata'
  | 'success_url'
  | 'cancel_url'
  | 'livemode'
> & { payment_intent: string | StandInPayment | null; readonly fields: URLSearchParams }
export type StandInPayment = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'status'
  | 'amount'
  | 'amount_capturable'
  | 'amount_received'
  | 'currency'
  | 'metadata'
  | 'cancellation_reason'
  | 'last_payment_error'
  | 'capture_method'
>
export type StandInRefund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'status' | 'amount' | 'currency' | 'metadata' | 'payment_intent' | 'created' | 'failure_reason'
>
export type StandInDispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'currency' | 'reason' | 'created' | 'livemode' | 'payment_intent' | 'status'
> & { evidence_details: Pick<Stripe.Dispute.EvidenceDetails, 'due_by'> }
type Answer = { readonly status: number; readonly body: object | string }
type Operation = 'authorize' | 'capture' | 'void' | 'refund' | 'lookup'

export const STAND_IN_KEY = `sk_test_${'0'.repeat(24)}`
export const STAND_IN_SECRET = `whsec_${'1'.repeat(32)}`

export type StripeStandIn = Awaited<ReturnType<typeof startStripeStandIn>>

/** Starts Stripe's stand-in on loopback. It is closed at the end of the file. */
export async function startStripeStandIn() {
  const books = new Books()
  const faults: Fault[] = []
  const later: (() => void)[] = []
  /** Permissions that the restricted key lacks, such as `rak_refund_write`. */
  const missingRights = new Set<string>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand.in')
    const fields = new URLSearchParams(await text(request))
    if (url.pathname.startsWith('/pay/')) {
      page(url.pathname.slice(5), request.method, fields, response)
      return
    }
    const operation = operationOf(request.method, url.pathname)
    const key = String(request.headers['idempotency-key'] ?? '') || books.keyOf(url)
    requests.push(`${operation} ${key}`)
    assert.equal(request.headers['stripe-version'], STRIPE_API_VERSION, 'the version is pinned')
    const lacking = RIGHTS.find(([path]) => url.pathname.startsWith(path))?.[1] ?? ''
    if ((request.method === 'POST' || lacking.endsWith('_read')) && missingRights.has(lacking)) {
      send(response, notAllowed(lacking))
      return
    }
    const execute = (rigged?: Rigged) =>
      books.execute(request.method === 'POST', url, fields, request.headers['idempotency-key'], rigged)
    const answer = misbehave(takeFault(faults, operation, key), execute)
    if (answer === null) response.destroy()
    else send(response, answer)
  }

  /** The answer, or `null` if the connection is to be dropped. */
  function misbehave(fault: Fault | null, execute: (rigged?: Rigged) => Answer): Answer | null {
    switch (fault?.fault) {
      case 'decline':
        return execute('refused')
      case 'other_amount':
        return execute('less')
      case 'effect_without_answer':
        execute()
        return null
      case 'no_effect_no_answer':
        return null
      case 'late_effect':
        later.push(() => void execute())
        return null
      case 'error_without_effect':
        return execute('broken')
      case 'error_with_effect':
        execute()
        return errorOf(503, 'api_error', 'api_error')
      case 'garbage':
        execute()
        return { status: 200, body: '<html>Welcome</html>' }
      default:
        return execute()
    }
  }

  function page(id: string, method: string | undefined, fields: URLSearchParams, response: ServerResponse): void {
    const session = books.sessions.get(id)
    if (session?.status !== 'open') {
      response
        .writeHead(410, HTML)
        .end('<!doctype html><html lang="en"><title>Pay</title><h1>This page is closed</h1></html>')
      return
    }
    if (method !== 'POST') {
      response.writeHead(200, HTML).end(pageOf(session, 'Pay'))
      return
    }
    // `bank`: confirms with the bank first; `slow`: pays by a method that settles in days; `pay`; `leave`.
    const act = fields.get('act')
    if (act === 'decline') {
      response.writeHead(200, HTML).end(pageOf(session, 'Your card was declined'))
      return
    }
    if (act === 'challenge') {
      response.writeHead(200, HTML).end(pageOf(session, 'Confirm with your bank'))
      return
    }
    if (act === 'leave') response.writeHead(303, { location: session.cancel_url ?? '/' }).end()
    else {
      books.pay(id, act === 'slow' ? 'slow' : 'pay')
      response.writeHead(303, { location: session.success_url ?? '/' }).end()
    }
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  books.url = url
  atFileEnd(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })

  const { webhooks } = new Stripe(STAND_IN_KEY)
  return {
    url,
    books,
    faults,
    later,
    missingRights,
    requests,
    /** A webhook request, signed by the package. */
    notification(
      about: { readonly metadata?: object | null } | StandInDispute,
      at: Date,
      changes: object = {},
      secret = STAND_IN_SECRET,
    ) {
      const event = {
        id: `evt_${randomUUID()}`,
        object: 'event',
        type: 'charge.updated',
        livemode: false,
        data: { object: about },
      }
      const payload = JSON.stringify({ ...event, ...changes })
      const signature = webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(at.getTime() / 1000),
      })
      return { headers: { 'stripe-signature': signature }, body: Buffer.from(payload) }
    },
  }
}

type Rigged = 'refused' | 'less' | 'broken'

/** Stripe's objects. */
class Books {
  url = ''
  readonly sessions = new Map<string, StandInSession>()
  readonly payments = new Map<string, StandInPayment>()
  readonly refunds = new Map<string, StandInRefund>()
  readonly disputes = new Map<string, StandInDispute>()
  /** `capture_before` of the charge, in Unix seconds, which Stripe reports for most cards. */
  captureBefore: number | undefined
  readonly #answers = new Map<string, { readonly request: string; readonly answer: Answer }>()
  #ids = 0

  /** The movements of an intent. */
  movements(intentId: string): readonly { readonly operation: string; readonly amount: bigint }[] {
    const payments = [...this.payments.values()].filter(({ metadata }) => metadata.vitrine_intent === intentId)
    return payments.flatMap(({ id, amount_received, status }) => [
      ...(status === 'succeeded' ? [{ operation: 'capture', amount: BigInt(amount_received) }] : []),
      ...(status === 'canceled' ? [{ operation: 'void', amount: 0n }] : []),
      ...[...this.refunds.values()]
        .filter((refund) => refund.payment_intent === id && refund.status === 'succeeded')
        .map(({ amount }) => ({ operation: 'refund', amount: BigInt(amount) })),
    ])
  }

  sessionOf(intentId: string): StandInSession | undefined {
    return [...this.sessions.values()].findLast(({ metadata }) => metadata?.vitrine_intent === intentId)
  }

  /** The shopper pays on the page. `false` if the page is closed. */
  pay(id: string, act: 'pay' | 'slow' = 'pay'): boolean {
    const session = this.sessions.get(id)
    if (session?.status !== 'open') return false
    const capture = session.fields.get('payment_intent_data[capture_method]') as Stripe.PaymentIntent['capture_method']
    const amount = session.amount_total ?? 0
    const payment: StandInPayment = {
      id: `pi_${++this.#ids}`,
      object: 'payment_intent',
      status: act === 'slow' ? 'processing' : capture === 'manual' ? 'requires_capture' : 'succeeded',
      amount,
      amount_capturable: act === 'pay' && capture === 'manual' ? amount : 0,
      amount_received: act === 'pay' && capture !== 'manual' ? amount : 0,
      currency: session.currency ?? 'eur',
      metadata: fieldsIn(session.fields, 'payment_intent_data[metadata]'),
      cancellation_reason: null,
      last_payment_error: null,
      capture_method: capture,
    }
    this.payments.set(payment.id, payment)
    Object.assign(session, { status: 'complete', url: null, payment_intent: payment.id })
    return true
  }

  /** A slow payment succeeds or fails. */
  settle(intentId: string, isPaid: boolean): void {
    for (const payment of this.payments.values()) {
      if (payment.metadata.vitrine_intent !== intentId || payment.status !== 'processing') continue
      if (isPaid) Object.assign(payment, { status: 'succeeded', amount_received: payment.amount })
      else Object.assign(payment, { status: 'requires_payment_method', last_payment_error: { code: 'payment_failed' } })
    }
  }

  /** The payer disputes a payment with their bank, or the bank decides. */
  dispute(intentId: string, about: Pick<StandInDispute, 'status' | 'created'>, amount?: number): StandInDispute {
    const payment = [...this.payments.values()].find(({ metadata }) => metadata.vitrine_intent === intentId)
    assert.ok(payment, 'the payment that is disputed')
    const known = [...this.disputes.values()].find((each) => each.payment_intent === payment.id)
    const dispute: StandInDispute = known ?? {
      id: `dp_${++this.#ids}`,
      object: 'dispute',
      amount: amount ?? payment.amount_received,
      currency: payment.currency,
      reason: 'fraudulent',
      created: about.created,
      livemode: false,
      payment_intent: payment.id,
      status: about.status,
      evidence_details: { due_by: about.created + 7 * 86_400 },
    }
    dispute.status = about.status
    this.disputes.set(dispute.id, dispute)
    return dispute
  }

  /** Our key in the metadata of the object that a request without an idempotency key is about. */
  keyOf(url: URL): string {
    const id =
      url.searchParams.get('payment_intent') ?? url.pathname.split('/').find((part) => /^(cs|pi|re)_/.test(part)) ?? ''
    const found = this.sessions.get(id) ?? this.payments.get(id) ?? this.refunds.get(id)
    return found?.metadata?.vitrine_key ?? ''
  }

  /** Executes a request once per idempotency key, and stores the answer, including errors. */
  execute(
    isWrite: boolean,
    url: URL,
    fields: URLSearchParams,
    key: string | string[] | undefined,
    rigged?: Rigged,
  ): Answer {
    if (!isWrite) return rigged === 'broken' ? errorOf(500, 'api_error', 'api_error') : this.#read(url)
    const request = `${url.pathname} ${fields}`
    const known = key === undefined ? undefined : this.#answers.get(String(key))
    if (known)
      return known.request === request ? known.answer : errorOf(400, 'idempotency_key_in_use', 'idempotency_error')
    const answer = rigged === 'broken' ? errorOf(500, 'api_error', 'api_error') : this.#write(url, fields, rigged)
    if (key !== undefined) this.#answers.set(String(key), { request, answer: replayed(answer) })
    return answer
  }

  #read({ pathname, searchParams }: URL): Answer {
    const [, , kind, id = '', more = ''] = pathname.split('/')
    if (kind === 'checkout') {
      const session = this.sessions.get(more)
      if (!session) return errorOf(404, 'resource_missing')
      const payment = this.payments.get(String(session.payment_intent))
      const isExpanded = searchParams.get('expand[0]')?.startsWith('payment_intent')
      const expanded = isExpanded && payment && { payment_intent: this.#withCharge(payment) }
      return ok({ ...session, fields: undefined, ...expanded })
    }
    if (kind === 'refunds' && id === '') {
      const data = [...this.refunds.values()].filter(
        (each) => each.payment_intent === searchParams.get('payment_intent'),
      )
      return ok({ object: 'list', data, has_more: false, url: pathname })
    }
    if (kind === 'disputes' && id === '') {
      const data = [...this.disputes.values()].filter(
        (each) => each.payment_intent === searchParams.get('payment_intent'),
      )
      return ok({ object: 'list', data, has_more: false, url: pathname })
    }
    const payment = this.payments.get(id)
    const found = kind === 'refunds' ? this.refunds.get(id) : payment && this.#withCharge(payment)
    return found ? ok(found) : errorOf(404, 'resource_missing')
  }

  /** The payment with its charge expanded, as the adapter requests it. */
  #withCharge(payment: StandInPayment): object {
    const card = this.captureBefore === undefined ? {} : { capture_before: this.captureBefore }
    return { ...payment, latest_charge: { id: `ch_${payment.id}`, payment_method_details: { card } } }
  }

  #write({ pathname }: URL, fields: URLSearchParams, rigged: Rigged | undefined): Answer {
    if (rigged === 'refused') return errorOf(400, 'charge_declined')
    const less = rigged === 'less' ? 1 : 0
    const [, , kind, id = '', more = '', last = ''] = pathname.split('/')
    if (kind === 'refunds') return this.#refund(fields, less)
    if (kind === 'checkout') return last === 'expire' ? this.#expire(more) : this.#open(fields, less)
    const payment = this.payments.get(id)
    if (!payment) return id === '' ? this.#confirmed(fields) : errorOf(404, 'resource_missing')
    if (payment.status !== 'requires_capture') return errorOf(400, 'payment_intent_unexpected_state')
    if (more === 'cancel')
      return ok(Object.assign(payment, { status: 'canceled', amount_capturable: 0, cancellation_reason: null }))
    const amount = Number(fields.get('amount_to_capture') ?? payment.amount) - less
    return ok(Object.assign(payment, { status: 'succeeded', amount_received: amount, amount_capturable: 0 }))
  }

  #open(fields: URLSearchParams, less: number): Answer {
    const unit = /^line_items\[\d+\]\[price_data\]\[unit_amount\]$/
    const amount = [...fields].filter(([name]) => unit.test(name)).reduce((sum, [, value]) => sum + Number(value), 0)
    if (!(amount > 0)) return errorOf(400, 'amount_too_small')
    const id = `cs_test_${++this.#ids}`
    const session: StandInSession = {
      id,
      object: 'checkout.session',
      status: 'open',
      url: `${this.url}/pay/${id}`,
      amount_total: amount - less,
      currency: fields.get('line_items[0][price_data][currency]'),
      metadata: fieldsIn(fields, 'metadata'),
      success_url: fields.get('success_url'),
      cancel_url: fields.get('cancel_url'),
      livemode: false,
      payment_intent: null,
      fields,
    }
    this.sessions.set(id, session)
    return ok({ ...session, fields: undefined })
  }

  #expire(id: string): Answer {
    const session = this.sessions.get(id)
    if (!session) return errorOf(404, 'resource_missing')
    if (session.status !== 'open') return errorOf(400, 'checkout_session_not_open')
    return ok({ ...Object.assign(session, { status: 'expired', url: null }), fields: undefined })
  }

  /** Creates a payment without a page, as tests of Stripe's test mode do. */
  #confirmed(fields: URLSearchParams): Answer {
    const amount = Number(fields.get('amount'))
    const payment: StandInPayment = {
      id: `pi_${++this.#ids}`,
      object: 'payment_intent',
      status: 'requires_capture',
      amount,
      amount_capturable: amount,
      amount_received: 0,
      currency: fields.get('currency') ?? 'eur',
      metadata: fieldsIn(fields, 'metadata'),
      cancellation_reason: null,
      last_payment_error: null,
      capture_method: 'manual',
    }
    this.payments.set(payment.id, payment)
    return ok(payment)
  }

  #refund(fields: URLSearchParams, less: number): Answer {
    const payment = this.payments.get(fields.get('payment_intent') ?? '')
    if (!payment) return errorOf(404, 'resource_missing')
    const amount = Number(fields.get('amount'))
    const refunded = [...this.refunds.values()]
      .filter((each) => each.payment_intent === payment.id && each.status !== 'failed')
      .reduce((sum, each) => sum + each.amount, 0)
    if (refunded + amount > payment.amount_received) return errorOf(400, 'charge_already_refunded')
    const refund: StandInRefund = {
      id: `re_${++this.#ids}`,
      object: 'refund',
      status: 'succeeded',
      amount: amount - less,
      currency: payment.currency,
      metadata: fieldsIn(fields, 'metadata'),
      payment_intent: payment.id,
      created: this.#ids,
    }
    this.refunds.set(refund.id, refund)
    return ok(refund)
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

function pageOf({ id, amount_total, currency }: StandInSession, title: string): string {
  const button = (act: string, label: string) => `<button name="act" value="${act}">${label}</button>`
  const buttons =
    title === 'Confirm with your bank'
      ? [button('pay', 'Approve'), button('decline', 'Reject')]
      : [
          button('pay', 'Pay'),
          button('decline', 'Pay with a declined card'),
          button('challenge', 'Pay with 3-D Secure'),
          button('slow', 'Pay by direct debit'),
        ]
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>
<p>${amount_total} ${currency}</p><form method="post" action="/pay/${id}">
${buttons.join('\n')}\n${button('leave', 'Back to the shop')}</form></html>`
}

/** The fields `prefix[name]=value` as an object. */
function fieldsIn(fields: URLSearchParams, prefix: string): Record<string, string> {
  const members = [...fields].filter(
    ([name]) => name.startsWith(`${prefix}[`) && !name.slice(prefix.length + 1, -1).includes('['),
  )
  return Object.fromEntries(members.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))
}

function operationOf(method: string | undefined, path: string): Operation {
  if (method !== 'POST') return 'lookup'
  if (path.endsWith('/capture')) return 'capture'
  if (path.endsWith('/cancel') || path.endsWith('/expire')) return 'void'
  return path.startsWith('/v1/refunds') ? 'refund' : 'authorize'
}

const RIGHTS = [
  ['/v1/checkout', 'rak_checkout_session_write'],
  ['/v1/payment_intents', 'rak_payment_intent_write'],
  ['/v1/refunds', 'rak_refund_write'],
  ['/v1/disputes', 'rak_dispute_read'],
] as const

function notAllowed(right: string): Answer {
  const message = `The provided key 'rk_test_*' does not have the required permissions for this endpoint. Having the '${right}' permission would allow this request to continue.`
  return { status: 403, body: { error: { type: 'invalid_request_error', message } } }
}

function ok(body: object): Answer {
  return { status: 200, body: structuredClone({ ...body, fields: undefined }) }
}

function errorOf(status: number, code: string, type = 'invalid_request_error'): Answer {
  return { status, body: { error: { type, code, message: code } } }
}

function replayed(answer: Answer): Answer & { readonly isReplay: true } {
  return { ...answer, isReplay: true }
}

function send(response: ServerResponse, answer: Answer & { readonly isReplay?: boolean }): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': 'req_1',
    ...(answer.isReplay && { 'idempotent-replayed': 'true' }),
  }
  response
    .writeHead(answer.status, headers)
    .end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
}
