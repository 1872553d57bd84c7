import { sentenceCase } from '../../ui/format/text.ts'

/** The mails whose kind does not say what they tell. */
const NAMES: Readonly<Record<string, string>> = {
  'orders.parcel': 'Order, parcel sent',
  'orders.canceled_in_part': 'Order, partly canceled',
  'orders.link': 'Order, new link',
  'orders.requested': 'Return, requested',
  'orders.approved': 'Return, approved',
  'orders.declined': 'Return, declined',
  'orders.cancellation_requested': 'Cancellation, requested',
  'orders.cancellation_declined': 'Cancellation, declined',
  'orders.received': 'Return, goods received',
  'orders.expired': 'Return, expired',
  'orders.sent': 'Return, replacement sent',
  'fulfilment.key': 'License key, one',
  'fulfilment.keys': 'License keys',
  'accounts.confirm': 'Account, confirm address',
  'accounts.known': 'Account, already registered',
  'accounts.reset': 'Account, new password',
  'accounts.changed': 'Account, password changed',
  'accounts.address': 'Account, confirm new address',
  'accounts.taken': 'Account, address taken',
  'accounts.readdressed': 'Account, address changed',
  'accounts.closed': 'Account, closed',
  'checkout.transfer': 'Checkout, bank transfer',
}

/** The kind of an email in words: `orders.confirmed` becomes `Order, confirmed`. */
export function mailKindText(kind: string): string {
  return NAMES[kind] ?? sentenceCase(kind.replace(/s?\./, ', '))
}
