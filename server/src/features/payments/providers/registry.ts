import type { PaymentProvider } from './provider.ts'
import { overHttp, simulatorProvider } from './simulator/provider.ts'

/** Settings of the payment providers. */
export interface ProviderSettings {
  readonly pagesUrl: string
  /** Null: no simulator. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
}

/** The configured providers, in display order. */
export function paymentProviders({ pagesUrl, simulator }: ProviderSettings): readonly PaymentProvider[] {
  const simulated = simulator && simulatorProvider({ ...simulator, pagesUrl, send: overHttp(simulator.url) })
  return [...(simulated ? [simulated] : []), manualProvider()]
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
    verify: () => null,
  }
}
