import { manualProvider } from './manual.ts'
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
