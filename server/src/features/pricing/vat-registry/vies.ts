import { type Static, Type } from 'typebox'
import { checker } from '../../../platform/http/schema-check.ts'
import { textOf } from '../answer-text.ts'
import type { VatAnswer, VatRegistry } from './registry.ts'

/** The URL of VIES and the requester. */
interface ViesSettings {
  /** Without a trailing slash. */
  readonly url: string
  /** The VAT number of the requesting business. Without one (`null`), VIES gives no consultation numbers. */
  readonly requester: string | null
  readonly timeoutMs: number
}

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Answer = Type.Object({
  valid: Type.Boolean(),
  requestIdentifier: optionalText,
  name: optionalText,
  address: optionalText,
})
const answers = checker(Answer)

/**
 * The VAT registry of the European Union. If a member state does not answer, the body has an error such as `MS_UNAVAILABLE` and
 * nothing about the number.
 *
 * @see https://ec.europa.eu/taxation_customs/vies/#/technical-information
 */
export function viesRegistry({ url, requester, timeoutMs }: ViesSettings): VatRegistry {
  const asking = requester === null ? {} : requesterOf(requester)
  return {
    async check(vatId) {
      const { country: countryCode, number: vatNumber } = partsOf(vatId)
      try {
        const response = await fetch(`${url}/check-vat-number`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({ countryCode, vatNumber, ...asking }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        })
        const body: unknown = JSON.parse(await textOf(response))
        if (response.ok && answers.passes(body)) return answerOf(body as Static<typeof Answer>)
        return { outcome: 'unanswered', reason: `${response.status} ${JSON.stringify(body).slice(0, 200)}` }
      } catch (error) {
        return { outcome: 'unanswered', reason: (error as Error).message }
      }
    },
  }
}

/** The reason that VIES does not answer, for operators; `null` if it does. */
export async function viesProblem({ url, timeoutMs }: ViesSettings): Promise<string | null> {
  try {
    const response = await fetch(`${url}/check-status`, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? null : `it answers ${response.status}`
  } catch (error) {
    return (error as Error).message
  }
}

function answerOf({ valid, name, address, requestIdentifier }: Static<typeof Answer>): VatAnswer {
  const consultationNumber = known(requestIdentifier)
  if (!valid) return { outcome: 'invalid', consultationNumber }
  return { outcome: 'valid', name: known(name, 500), address: known(address, 1000), consultationNumber }
}

/** Trim a text; `null` if it is empty. Member states that do not disclose names answer `---`. */
function known(text: string | null | undefined, lengthMax = 100): string | null {
  const tidied = (text ?? '').trim()
  return tidied === '' || tidied === '---' ? null : tidied.slice(0, lengthMax)
}

function requesterOf(vatId: string) {
  const { country, number } = partsOf(vatId)
  return { requesterMemberStateCode: country, requesterNumber: number }
}

/** Split a number into prefix and rest, as VIES takes them. Greece is EL there as well. */
function partsOf(vatId: string): { readonly country: string; readonly number: string } {
  return { country: vatId.slice(0, 2), number: vatId.slice(2) }
}
