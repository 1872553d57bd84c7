import type { OperatorPayment } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'

const PURPOSES: Readonly<Record<OperatorPayment['purpose'], string>> = {
  checkout: translate('Checkout'),
  cancellation: translate('Cancellation'),
  after_sales: translate('Return'),
  late_success: translate('Late payment'),
  operator: translate('Manual'),
}

/** The display name of a payment provider. */
export function providerName(provider: string): string {
  return provider === 'manual' ? translate('Bank transfer or cash') : provider
}

/** The display name of the purpose of a payment or refund. */
export function purposeName(purpose: OperatorPayment['purpose']): string {
  return PURPOSES[purpose]
}

/** Names a payment by its purpose: `Checkout payment`, `Cancellation refund`. */
export function paymentName({ kind, purpose }: Pick<OperatorPayment, 'kind' | 'purpose'>): string {
  const name = { purpose: PURPOSES[purpose] }
  return kind === 'charge' ? translate('{purpose} payment', name) : translate('{purpose} refund', name)
}
