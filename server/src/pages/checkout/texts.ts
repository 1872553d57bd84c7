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
  | 'billSame'
  | 'billNone'
  | 'contact'
  | 'shippingMethod'
  | 'continueToPayment'
  | 'cancel'
  | 'back'
  | 'changed'
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
    billTo: 'Bill to',
    billSame: 'Same as delivery address',
    billNone: 'None',
    contact: 'Contact',
    shippingMethod: 'Shipping method',
    continueToPayment: 'Continue to payment',
    cancel: 'Cancel and return to the shop',
    back: 'Back to the shop',
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
    billTo: 'Rechnungsadresse',
    billSame: 'wie Lieferadresse',
    billNone: 'keine',
    contact: 'Kontakt',
    shippingMethod: 'Versandart',
    continueToPayment: 'Weiter zur Zahlung',
    cancel: 'Abbrechen und zurück zum Shop',
    back: 'Zurück zum Shop',
    meant: 'Stimmt deine E-Mail-Adresse? Meintest du',
    changed: 'Deine Bestellung hat sich geändert. Bitte prüfe sie noch einmal.',
  },
}
