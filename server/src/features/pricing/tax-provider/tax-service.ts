import { type Static, Type } from 'typebox'
import { json } from '../../../kernel/json.ts'
import { checker } from '../../../platform/http/schema-check.ts'
import { textOf } from '../answer-text.ts'
import type { TaxAnswer, TaxProvider } from './provider.ts'

/** The settings of a service that calculates taxes, such as the operator's own bridge to a tax provider. */
interface TaxServiceSettings {
  readonly url: string
  /** Sent as a bearer token. */
  readonly secret: string
  readonly timeoutMs: number
}

const MinorUnits = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const Exemption = Type.Union([
  Type.Literal('intra_community_supply'),
  Type.Literal('reverse_charge'),
  Type.Literal('export'),
  Type.Literal('small_business'),
])
const Reply = Type.Object({
  currency: Type.String(),
  lines: Type.Array(
    Type.Object({
      id: Type.String(),
      taxes: Type.Array(
        Type.Object({
          name: Type.String(),
          rate: Type.String(),
          amount: MinorUnits,
          country: Type.String(),
          jurisdiction: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
        }),
      ),
      exemption: Type.Optional(Exemption),
    }),
  ),
})
const replies = checker(Reply)

/**
 * The adapter of a tax service: one POST of JSON per request.
 *
 * @see docs/guides/tax-service.md
 */
export function taxService({ url, secret, timeoutMs }: TaxServiceSettings): TaxProvider {
  return {
    async calculate(request, seller) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            authorization: `Bearer ${secret}`,
          },
          body: json({ ...request, seller }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        })
        const text = await textOf(response)
        if (!response.ok) return unanswered(`${response.status} ${text.slice(0, 200)}`)
        return answerOf(text)
      } catch (error) {
        return unanswered((error as Error).message)
      }
    },
  }
}

function answerOf(text: string): TaxAnswer {
  const body: unknown = JSON.parse(text)
  if (!replies.passes(body)) return unanswered(`an answer with another schema: ${text.slice(0, 200)}`)
  const { currency, lines } = body as Static<typeof Reply>
  return {
    outcome: 'answered',
    reply: {
      currency,
      lines: lines.map((line) => ({
        ...line,
        taxes: line.taxes.map((tax) => ({ ...tax, amount: BigInt(tax.amount) })),
      })),
    },
  }
}

function unanswered(reason: string): TaxAnswer {
  return { outcome: 'unanswered', reason }
}
