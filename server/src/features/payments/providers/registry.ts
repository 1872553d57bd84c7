import type { PaymentProvider } from './provider.ts'
import { overHttp, simulatorProvider } from './simulator/provider.ts'

/** What an operator has set about who moves money. */
export interface ProviderSettings {
  readonly pagesUrl: string
  /** Null: the simulator is not offered. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
}

/** The providers of this house, in the order in which they are offered. */
export function paymentProviders({ pagesUrl, simulator }: ProviderSettings): readonly PaymentProvider[] {
  const simulated = simulator && simulatorProvider({ ...simulator, pagesUrl, send: overHttp(simulator.url) })
  return [...(simulated ? [simulated] : []), manualProvider()]
}

/**
 * Bank transfer or cash: nobody is called. A charge waits until an operator has seen the money, a refund until they have
 * paid it back. Nothing is kept elsewhere, so a lookup knows of nothing and the step is simply begun again.
 */
export function manualProvider(): PaymentProvider {
  return {
    name: 'manual',
    isManual: true,
    takes: () => true,
    authorize: async ({ intentId }) => ({ kind: 'action_required', reference: intentId, url: null }),
    capture: async ({ intentId }) => ({ kind: 'done', reference: intentId }),
    cancel: async ({ intentId }) => ({ kind: 'done', reference: intentId }),
    refund: async ({ intentId }) => ({ kind: 'action_required', reference: intentId, url: null }),
    lookup: async () => ({ kind: 'never_seen' }),
    verify: () => null,
  }
}
