import { type Static, Type } from 'typebox'
import { checker } from '../../../platform/http/schema-check.ts'
import { textOf } from '../answer-text.ts'
import type { VatAnswer, VatRegistry } from './registry.ts'

/** Where VIES is, and who asks. */
export interface ViesSettings {
  /** Without a trailing slash. */
  readonly url: string
  /** The VAT number of the asking business, for which VIES gives consultation numbers; `null`: none are given. */
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
 * The registry of the European Union. A member state that does not answer is an error in the body, such as `MS_UNAVAILABLE`, and
 * nothing is said about the number then.
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

/** Whether VIES answers, for operators. `null`: it does. */
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

/** Member states that keep names to themselves answer `---`. */
function known(text: string | null | undefined, lengthMax = 100): string | null {
  const tidied = (text ?? '').trim()
  return tidied === '' || tidied === '---' ? null : tidied.slice(0, lengthMax)
}

function requesterOf(vatId: string) {
  const { country, number } = partsOf(vatId)
  return { requesterMemberStateCode: country, requesterNumber: number }
}

/** VIES takes the prefix and the rest apart. Greece is EL there as well. */
function partsOf(vatId: string): { readonly country: string; readonly number: string } {
  return { country: vatId.slice(0, 2), number: vatId.slice(2) }
}
