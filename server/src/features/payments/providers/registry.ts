import type { PaymentProvider } from './provider.ts'
import { overHttp, simulatorProvider } from './simulator/provider.ts'
import type { StripeSettings } from './stripe/client.ts'
import { stripeProvider } from './stripe/provider.ts'

/** Settings of the payment providers. */
export interface ProviderSettings {
  readonly pagesUrl: string
  /** `null`: no simulator. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
  /** Not offered without a key. */
  readonly stripe: StripeSettings
  /** Names of providers in the order in which they are offered. The others follow. */
  readonly order: readonly ProviderName[]
}

/** Every provider, in the default order in which they are offered. */
const PROVIDERS = ['stripe', 'simulator', 'manual'] as const
type ProviderName = (typeof PROVIDERS)[number]

/** The configured providers, in the order in which they are offered. Register a new adapter here. */
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
 * Bank transfer or cash: there is no provider to call. A charge waits until an operator confirms that the money was received, a refund
 * until it was paid. It is offered where a bank account is set, which checkout looks up. There are no records elsewhere, so a lookup
 * finds nothing and the step is sent again.
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
