import type { PaymentProvider } from './provider.ts'
import { overHttp, simulatorProvider } from './simulator/provider.ts'
import type { StripeSettings } from './stripe/client.ts'
import { stripeProvider } from './stripe/provider.ts'

/** Settings of the payment providers. */
export interface ProviderSettings {
  readonly pagesUrl: string
  /** Null: no simulator. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
  /** Without any key: not offered. */
  readonly stripe: StripeSettings
  /** Names of providers in the order of their offer; others follow. */
  readonly order: readonly ProviderName[]
}

/** Every provider, in the order of offer unless the operator sets another. */
const PROVIDERS = ['stripe', 'simulator', 'manual'] as const
type ProviderName = (typeof PROVIDERS)[number]

/** The configured providers, in the order of their offer. An adapter is registered here. */
export function paymentProviders(settings: ProviderSettings): readonly PaymentProvider[] {
  const { pagesUrl, simulator, stripe, order } = settings
  const registered: Readonly<Record<ProviderName, PaymentProvider | null>> = {
    stripe: stripe.keys.test || stripe.keys.live ? stripeProvider({ ...stripe, pagesUrl }) : null,
    simulator: simulator && simulatorProvider({ ...simulator, pagesUrl, send: overHttp(simulator.url) }),
    manual: manualProvider(),
  }
  return [...new Set([...order, ...PROVIDERS])].map((name) => registered[name]).filter((provider) => provider !== null)
}

/**
 * Bank transfer or cash: there is no one to call. A charge waits until an operator confirms that the money was received, a refund
 * until it was paid. It is offered where an account is named, which checkout looks up. There are no records elsewhere, so a lookup finds nothing and the step is sent again.
 */
export function manualProvider(): PaymentProvider {
  return {
    name: 'manual',
    isManual: true,
    takes: () => true,
    authorize: async ({ intentId }) => ({ kind: 'action_required', reference: intentId, url: null }),
    capture: async ({ intentId, amount, currency }) => ({ kind: 'done', reference: intentId, amount, currency }),
    cancel: async ({ intentId, amount, currency }) => ({ kind: 'done', reference: intentId, amount, currency }),
    refund: async ({ intentId }) => ({ kind: 'action_required', reference: intentId, url: null }),
    lookup: async () => ({ kind: 'never_seen' }),
    verify: async () => null,
  }
}
