import type { PaymentProvider } from './provider.ts'

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
