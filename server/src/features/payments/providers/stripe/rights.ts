import type { Stripe } from 'stripe'
import type { Environment } from '../../../../kernel/environment.ts'
import { StripeClients, type StripeSettings } from './client.ts'

/** The rights of a key. */
interface StripeKeyCheck {
  readonly environment: Environment
  /** Rights that a restricted key needs and lacks, as Stripe's dashboard names them. */
  readonly missing: readonly string[]
  /** Why Stripe could not be asked; `null` if it could. */
  readonly problem: string | null
  readonly hasWebhookSecret: boolean
}

const NO_SUCH = 'vitrine_doctor'

/** Requests that need a right and change nothing, because the objects that they name do not exist. */
const PROBES: readonly (readonly [right: string, ask: (stripe: Stripe) => Promise<unknown>])[] = [
  ['Checkout Sessions: write', (stripe) => stripe.checkout.sessions.expire(`cs_test_${NO_SUCH}`)],
  ['PaymentIntents: write', (stripe) => stripe.paymentIntents.cancel(`pi_${NO_SUCH}`)],
  ['Disputes: read', (stripe) => stripe.disputes.retrieve(`dp_${NO_SUCH}`)],
  ['Charges and Refunds: write', (stripe) => stripe.refunds.update(`re_${NO_SUCH}`, { metadata: { checked: 'true' } })],
]

/** Check the configured keys at Stripe. */
export async function checkStripeKeys(settings: StripeSettings): Promise<readonly StripeKeyCheck[]> {
  const clients = new StripeClients(settings)
  const environments = (['test', 'live'] as const).filter((environment) => settings.keys[environment] !== null)
  return Promise.all(
    environments.map(async (environment) => {
      const stripe = await clients.of(environment)
      const answers = await Promise.all(
        PROBES.map(async ([right, ask]) => ({ right, ...(await probed(ask(stripe!))) })),
      )
      return {
        environment,
        missing: answers.filter(({ isRefused }) => isRefused).map(({ right }) => right),
        problem: answers.find(({ problem }) => problem !== null)?.problem ?? null,
        hasWebhookSecret: settings.webhookSecrets[environment] !== null,
      }
    }),
  )
}

async function probed(asked: Promise<unknown>) {
  try {
    await asked
    return { isRefused: false, problem: 'Stripe accepted a request for an object that does not exist' }
  } catch (error) {
    const { type, code, message } = error as Partial<Stripe.errors.StripeError> & Error
    const isRefused = type === 'StripePermissionError'
    // The message is safe to show: Stripe abbreviates keys in it.
    return { isRefused, problem: isRefused || code === 'resource_missing' ? null : message }
  }
}
