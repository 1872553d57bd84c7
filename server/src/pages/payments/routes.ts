import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { PAYMENT_PATHS, type Payments } from '../../features/payments/index.ts'
import { clientAddress } from '../../platform/http/client-address.ts'
import { type PageRoute, pageRead } from '../toolkit/index.ts'

const PaymentQuery = Type.Object(
  {
    payment: Type.String({ pattern: '^pay_[0-9a-z]{26}$' }),
    key: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    /** The shopper left the page of the provider without paying. */
    abandoned: Type.Optional(Type.Literal('true')),
  },
  { additionalProperties: false },
)

/** The return page of payment providers: reconciles the payment and redirects to the checkout page. */
export function paymentPages(payments: Payments): PageRoute[] {
  return [
    pageRead({
      path: PAYMENT_PATHS.return,
      query: PaymentQuery,
      async show({ query }) {
        return {
          kind: 'redirect',
          to: await payments.returnOf(query.payment, query.key, query.abandoned !== undefined),
        }
      },
    }),
  ]
}

/** A dispute event includes the evidence, up to 150,000 characters. */
const BODY_BYTES_MAX = 1024 * 1024

/** The webhook endpoint for payment providers. */
export function paymentNotifications(payments: Payments): (door: FastifyInstance) => void {
  return (door) =>
    void door.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      // Signatures are over the raw bytes.
      scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
        done(null, body),
      )
      scope.setErrorHandler((error: { readonly statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send({ status: 'failed' }),
      )
      scope.post<{ Params: { provider: string } }>(PAYMENT_PATHS.notifications, async (request, reply) => {
        const { params, headers, body } = request
        const result = await payments.receiveNotification(params.provider, {
          headers,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        })
        if (result === 'forged') {
          const { security, trustedProxies } = request.server
          const address = clientAddress(request.raw, trustedProxies)
          security.record('notification_forged', { requestId: request.id, address, who: params.provider })
        }
        return reply.code(STATUSES[result]).send({ status: result })
      })
    })
}

const STATUSES = { taken: 200, forged: 400, unknown_provider: 404 } as const
