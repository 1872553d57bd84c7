import type { OperatorPayment } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { sentenceCase } from '../../ui/format/text.ts'

const PURPOSES: Readonly<Record<OperatorPayment['purpose'], string>> = {
  checkout: translate('Checkout'),
  cancellation: translate('Cancellation'),
  after_sales: translate('Return'),
  late_success: translate('Late payment'),
  operator: translate('Manual'),
}

/** The display name of a payment provider. */
export function providerName(provider: string): string {
  return provider === 'manual' ? translate('Bank transfer or cash') : sentenceCase(provider)
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

/** Why a payment failed or was disputed, in the codes of the providers. */
const REASONS: Readonly<Record<string, string>> = {
  abandoned: translate('Payment page left'),
  action_declined: translate('Not confirmed by the shopper'),
  card_declined: translate('Card declined'),
  declined: translate('Declined'),
  expired_card: translate('Card expired'),
  expired_or_canceled_card: translate('Card expired or canceled'),
  insufficient_funds: translate('Insufficient funds'),
  invalid_key: translate('Invalid key of the provider'),
  lost_or_stolen_card: translate('Card lost or stolen'),
  missing_right: translate('Key of the provider lacks a right'),
  not_received: translate('Money not received'),
  page_expired: translate('Payment page expired'),
  refund_declined: translate('Refund declined'),
  returned: translate('Returned by the bank'),
  refused: translate('Refused by the provider'),
  bank_cannot_process: translate('Bank cannot process it'),
  credit_not_processed: translate('Refund not received'),
  debit_not_authorized: translate('Direct debit not authorized'),
  duplicate: translate('Charged twice'),
  fraudulent: translate('Not authorized by the buyer'),
  general: translate('Other reason'),
  product_not_received: translate('Product not received'),
  product_unacceptable: translate('Product not as described'),
  subscription_canceled: translate('Subscription canceled'),
  unrecognized: translate('Charge not recognized'),
}

/** The display name of a reason of a provider. An unknown code is shown in its words. */
export function reasonName(code: string): string {
  return REASONS[code] ?? sentenceCase(code)
}
