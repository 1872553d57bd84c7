import type { Texts } from '../toolkit/index.ts'

type Words =
  | 'title'
  | 'at'
  | 'steps'
  | 'address'
  | 'shipping'
  | 'payment'
  | 'change'
  | 'contact'
  | 'shipTo'
  | 'billTo'
  | 'billSame'
  | 'shippedBy'
  | 'goOn'
  | 'goOnToPayment'
  | 'cancel'
  | 'backTo'
  | 'changed'

/** What stands around every step. */
export const texts: Texts<Words> = {
  en: {
    title: 'Checkout',
    at: 'at',
    steps: 'Steps',
    address: 'Address',
    shipping: 'Shipping',
    payment: 'Payment',
    change: 'Change',
    contact: 'E-mail',
    shipTo: 'Goes to',
    billTo: 'Bill to',
    billSame: 'the same address',
    shippedBy: 'Sent by',
    goOn: 'Go on',
    goOnToPayment: 'Go on to payment',
    cancel: 'Cancel and go back to',
    backTo: 'Back to',
    changed: 'Something has changed since you last looked. Please check your order once more.',
  },
  de: {
    title: 'Kasse',
    at: 'bei',
    steps: 'Schritte',
    address: 'Adresse',
    shipping: 'Versand',
    payment: 'Zahlung',
    change: 'Ändern',
    contact: 'E-Mail',
    shipTo: 'Geht an',
    billTo: 'Rechnung an',
    billSame: 'dieselbe Adresse',
    shippedBy: 'Versand',
    goOn: 'Weiter',
    goOnToPayment: 'Weiter zur Zahlung',
    cancel: 'Abbrechen und zurück zu',
    backTo: 'Zurück zu',
    changed: 'Seit deinem letzten Blick hat sich etwas geändert. Bitte prüfe deine Bestellung noch einmal.',
  },
}
