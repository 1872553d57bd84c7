import { translate } from '../../language.ts'
import { sentenceCase } from '../../ui/format/text.ts'

/** Names for the kinds that do not describe the mail. */
const NAMES: Readonly<Record<string, string>> = {
  'orders.confirmed': translate('Order, confirmed'),
  'orders.paid': translate('Order, paid'),
  'orders.canceled': translate('Order, canceled'),
  'orders.refunded': translate('Order, refunded'),
  'orders.parcel': translate('Order, parcel sent'),
  'orders.canceled_in_part': translate('Order, partly canceled'),
  'orders.link': translate('Order, new link'),
  'orders.requested': translate('Return, requested'),
  'orders.approved': translate('Return, approved'),
  'orders.declined': translate('Return, declined'),
  'orders.cancellation_requested': translate('Cancellation, requested'),
  'orders.cancellation_declined': translate('Cancellation, declined'),
  'orders.received': translate('Order, received'),
  'orders.goods_received': translate('Return, goods received'),
  'orders.expired': translate('Return, expired'),
  'orders.sent': translate('Return, replacement sent'),
  'fulfilment.key': translate('License key, one'),
  'fulfilment.keys': translate('License keys'),
  'accounts.confirm': translate('Account, confirm address'),
  'accounts.known': translate('Account, already registered'),
  'accounts.reset': translate('Account, new password'),
  'accounts.changed': translate('Account, password changed'),
  'accounts.address': translate('Account, confirm new address'),
  'accounts.taken': translate('Account, address taken'),
  'accounts.readdressed': translate('Account, address changed'),
  'accounts.closed': translate('Account, closed'),
  'operators.invitation': translate('Operator, invitation'),
  'operators.reset': translate('Operator, new password'),
  'operators.changed': translate('Operator, password changed'),
  'operators.dispute': translate('Operator, disputed payment'),
  'checkout.transfer': translate('Checkout, bank transfer'),
  'checkout.transfer_rest': translate('Checkout, rest of a bank transfer'),
}

/** The kind of an email in words: `orders.confirmed` becomes `Order, confirmed`. */
export function mailKindText(kind: string): string {
  return NAMES[kind] ?? sentenceCase(kind.replace(/s?\./, ', '))
}
