import type { OperatorPayment } from '@vitrine/contract/operator'

const PURPOSES: Readonly<Record<OperatorPayment['purpose'], string>> = {
  checkout: 'Checkout',
  cancellation: 'Cancellation',
  after_sales: 'Return',
  late_success: 'Late payment',
  operator: 'Manual',
}

/** The display name of a payment provider. */
export function providerName(provider: string): string {
  return provider === 'manual' ? 'Bank transfer or cash' : provider
}

/** What a payment or refund is for. */
export function purposeName(purpose: OperatorPayment['purpose']): string {
  return PURPOSES[purpose]
}

/** Names a payment by its purpose: `Checkout payment`, `Cancellation refund`. */
export function paymentName({ kind, purpose }: Pick<OperatorPayment, 'kind' | 'purpose'>): string {
  return `${PURPOSES[purpose]} ${kind === 'charge' ? 'payment' : 'refund'}`
}
