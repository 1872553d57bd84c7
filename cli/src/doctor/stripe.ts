import { type Config, checkStripeKeys } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

/** Checks that Stripe accepts the configured keys, and that they have every right they need. Nothing is changed there. */
export async function checkStripe({
  stripe,
  paymentTimeoutMs: timeoutMs,
}: Pick<Config, 'stripe' | 'paymentTimeoutMs'>): Promise<readonly Finding[]> {
  const checks = await checkStripeKeys({ ...stripe, timeoutMs })
  return checks.map(({ environment, missing, problem, hasWebhookSecret }) => {
    const name = `STRIPE_${environment.toUpperCase()}`
    if (problem !== null)
      return wrong('stripe', `${name}_KEY: ${problem}`, 'Look at the key, and at the way to api.stripe.com.')
    if (missing.length > 0) {
      return wrong(
        'stripe',
        `${name}_KEY lacks ${missing.join(', ')}`,
        'Grant it to the restricted key at Stripe: Developers, API keys.',
      )
    }
    if (hasWebhookSecret) return well('stripe', `${name}_KEY has the rights it needs`)
    return doubtful(
      'stripe',
      `${name}_KEY has the rights it needs, but ${name}_WEBHOOK_SECRET is not set: payments are looked up up to 5 minutes later`,
      'Add a webhook endpoint at Stripe: docs/guides/stripe.md.',
    )
  })
}
