import type { Texts } from '../toolkit/index.ts'

type Words =
  | 'title'
  | 'steps'
  | 'address'
  | 'shipping'
  | 'payment'
  | 'change'
  | 'shipTo'
  | 'billTo'
  | 'vatId'
  | 'vatIdRefused'
  | 'billSame'
  | 'billNone'
  | 'contact'
  | 'shippingMethod'
  | 'continueToPayment'
  | 'cancel'
  | 'back'
  | 'changed'
  | 'unchanged'
  | 'meant'

/** Texts that all steps share. */
export const texts: Texts<Words> = {
  en: {
    title: 'Checkout',
    steps: 'Steps',
    address: 'Address',
    shipping: 'Shipping',
    payment: 'Payment',
    change: 'Change',
    shipTo: 'Ship to',
    vatId: 'VAT ID',
    vatIdRefused: 'The VAT ID is not registered in VIES, so tax is charged. You can correct it.',
    billTo: 'Bill to',
    billSame: 'Same as delivery address',
    billNone: 'None',
    contact: 'Contact',
    shippingMethod: 'Shipping method',
    continueToPayment: 'Continue to payment',
    cancel: 'Cancel and return to the shop',
    back: 'Back to the shop',
    unchanged: 'Back without changes',
    meant: 'Is your email address right? Did you mean',
    changed: 'Your order has changed. Please review it before you continue.',
  },
  de: {
    title: 'Kasse',
    steps: 'Schritte',
    address: 'Adresse',
    shipping: 'Versand',
    payment: 'Zahlung',
    change: 'Ändern',
    shipTo: 'Lieferadresse',
    vatId: 'USt-IdNr.',
    vatIdRefused: 'Die USt-IdNr. ist nicht bei VIES registriert, daher wird Steuer berechnet. Du kannst sie ändern.',
    billTo: 'Rechnungsadresse',
    billSame: 'wie Lieferadresse',
    billNone: 'keine',
    contact: 'Kontakt',
    shippingMethod: 'Versandart',
    continueToPayment: 'Weiter zur Zahlung',
    cancel: 'Abbrechen und zurück zum Shop',
    back: 'Zurück zum Shop',
    unchanged: 'Zurück ohne Änderung',
    meant: 'Stimmt deine E-Mail-Adresse? Meintest du',
    changed: 'Deine Bestellung hat sich geändert. Bitte prüfe sie noch einmal.',
  },
}
