import { type Config, checkStripeKeys } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

/** Checks that Stripe accepts the configured keys, and that they have all required permissions. Nothing is changed there. */
export async function checkStripe({
  stripe,
  paymentTimeoutMs: timeoutMs,
}: Pick<Config, 'stripe' | 'paymentTimeoutMs'>): Promise<readonly Finding[]> {
  const checks = await checkStripeKeys({ ...stripe, timeoutMs })
  return checks.map(({ environment, missing, problem, hasWebhookSecret }) => {
    const name = `STRIPE_${environment.toUpperCase()}`
    if (problem !== null)
      return wrong('stripe', `${name}_KEY: ${problem}`, 'Check the key and the connection to api.stripe.com.')
    if (missing.length > 0) {
      return wrong(
        'stripe',
        `${name}_KEY lacks ${missing.join(', ')}`,
        'Grant it to the restricted key at Stripe: Developers, API keys.',
      )
    }
    if (hasWebhookSecret) return well('stripe', `${name}_KEY has the required permissions`)
    return doubtful(
      'stripe',
      `${name}_KEY has the required permissions, but ${name}_WEBHOOK_SECRET is not set: outcomes are known up to 5 minutes late`,
      'Add a webhook endpoint at Stripe: docs/guides/stripe.md.',
    )
  })
}
