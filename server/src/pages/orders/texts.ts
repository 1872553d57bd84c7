import type { AfterSales, Cancellation, Order } from '@vitrine/contract'
import type { Invoice } from '../../features/orders/index.ts'
import type { Language } from '../toolkit/index.ts'

/** Texts of the pages of an order. */
interface OrderTexts {
  readonly title: (number: string) => string
  readonly placed: string
  readonly test: string
  readonly all: string
  readonly account: string
  readonly state: Readonly<
    Record<Order['status'] | 'on_its_way' | 'partly_on_its_way' | 'delivered' | 'partly_delivered', string>
  >
  readonly payment: string
  readonly payments: Readonly<Record<Order['paymentStatus'], string>>
  readonly items: string
  readonly units: (ordered: number, gone: { canceled: number; returned: number }) => string
  readonly subtotal: string
  readonly shipping: string
  readonly free: string
  readonly tax: string
  readonly includedTax: string
  readonly total: string
  readonly refunded: string
  readonly refundPending: string
  readonly parcels: string
  readonly noParcel: string
  /** Nothing of the order is shipped. */
  readonly noDelivery: string
  readonly parcel: Readonly<Record<Order['fulfillments'][number]['status'], (date: string) => string>>
  readonly track: string
  readonly tracking: string
  readonly carrier: string
  readonly requests: string
  readonly cancellation: Readonly<Record<Cancellation['status'], string>>
  readonly kinds: Readonly<Record<AfterSales['kind'], string>>
  readonly request: Readonly<Record<AfterSales['status'], string>>
  readonly refundOf: (amount: string) => string
  readonly decideBy: (date: string) => string
  readonly sendTo: string
  readonly returnBy: (date: string) => string
  readonly delivery: string
  readonly reachedAt: string
  readonly shipTo: string
  readonly billTo: string
  readonly method: string
  readonly email: string
  readonly invoices: string
  readonly invoice: Readonly<Record<Invoice['kind'], string>>
  readonly timeline: string
  readonly documents: string
  readonly contact: string
  readonly cancel: string
  readonly cancelBy: string
  readonly until: (date: string) => string
  readonly stillFor: (time: string) => string
  readonly giveBack: string
  readonly received: string
}

export const texts: Readonly<Record<Language, OrderTexts>> = {
  en: {
    title: (number) => `Order ${number}`,
    placed: 'Placed on',
    test: 'This is a test order. Nothing is delivered and nothing is charged.',
    all: 'All orders',
    account: 'You have an account? Sign in to see all of your orders.',
    state: {
      confirmed: 'We have received your order.',
      processing: 'We are preparing your order.',
      on_hold: 'Your order is on hold. We’ll get in touch if we need anything from you.',
      completed: 'Your order is complete.',
      canceled: 'This order was canceled.',
      on_its_way: 'Your order is on its way.',
      partly_on_its_way: 'Part of your order is on its way.',
      delivered: 'Your order was delivered.',
      partly_delivered: 'Part of your order was delivered.',
    },
    payment: 'Payment',
    payments: {
      pending: 'Waiting for your payment',
      authorized: 'Authorized',
      paid: 'Paid',
      partially_refunded: 'Partly refunded',
      refunded: 'Refunded',
      voided: 'Canceled, nothing was charged',
      failed: 'Failed',
      unknown: 'A refund is being confirmed',
    },
    items: 'Items',
    units: (ordered, { canceled, returned }) =>
      [`Quantity ${ordered}`, canceled > 0 && `${canceled} canceled`, returned > 0 && `${returned} returned`]
        .filter(Boolean)
        .join(' · '),
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    free: 'Free',
    tax: 'Tax',
    includedTax: 'Includes tax:',
    total: 'Total',
    refunded: 'Refunded',
    refundPending: 'Refund on its way',
    parcels: 'Delivery',
    noParcel: 'Nothing has been shipped yet. We’ll email you as soon as your parcel is on its way.',
    noDelivery: 'Nothing has been sent yet. What you bought will come by email.',
    parcel: {
      pending: () => 'Being prepared',
      canceled: () => 'Canceled',
      dispatched: (date) => `Shipped on ${date}`,
      delivered: (date) => `Delivered on ${date}`,
      failed: () => 'Could not be delivered',
    },
    track: 'Track parcel',
    tracking: 'Tracking number',
    carrier: 'Carrier',
    requests: 'Cancellations and returns',
    cancellation: {
      requested: 'Cancellation requested',
      approved: 'Cancellation approved',
      declined: 'Cancellation declined',
      completed: 'Canceled',
    },
    kinds: { refund_only: 'Refund', return: 'Return', exchange: 'Exchange', repair: 'Repair' },
    request: {
      requested: 'We have received your request.',
      under_review: 'We are reviewing your request.',
      approved: 'Your request was approved.',
      declined: 'Your request was declined.',
      awaiting_return: 'Your request was approved. Please send the items back.',
      in_transit: 'Your items are on their way to us.',
      received: 'Your items have arrived.',
      inspecting: 'We are checking your items.',
      resolving: 'We are completing your request.',
      completed: 'Completed.',
      withdrawn: 'Withdrawn.',
      expired: 'The items were not sent back in time.',
    },
    refundOf: (amount) => `Refund: ${amount}`,
    decideBy: (date) => `You’ll get an answer by ${date}.`,
    sendTo: 'Send the items to:',
    returnBy: (date) => `Send the items by ${date}.`,
    delivery: 'Address and shipping',
    reachedAt: 'Contact',
    shipTo: 'Ship to',
    billTo: 'Bill to',
    method: 'Shipping method',
    email: 'Updates go to',
    invoices: 'Invoices',
    invoice: { invoice: 'Invoice', credit_note: 'Credit note' },
    timeline: 'Order history',
    documents: 'Documents you accepted',
    contact: 'Questions about your order?',
    cancel: 'Cancel items',
    cancelBy: 'Cancellation',
    until: (date) => `Possible until ${date}`,
    stillFor: (time) => `Possible for another ${time}`,
    giveBack: 'Return items or report a problem',
    received: 'Thank you. We have updated your order.',
  },
  de: {
    title: (number) => `Bestellung ${number}`,
    placed: 'Bestellt am',
    test: 'Dies ist eine Testbestellung. Es wird nichts geliefert und nichts berechnet.',
    all: 'Alle Bestellungen',
    account: 'Du hast ein Konto? Melde dich an, um alle deine Bestellungen zu sehen.',
    state: {
      confirmed: 'Deine Bestellung ist bei uns eingegangen.',
      processing: 'Deine Bestellung wird vorbereitet.',
      on_hold: 'Deine Bestellung ist angehalten. Wir melden uns, wenn wir etwas von dir brauchen.',
      completed: 'Deine Bestellung ist abgeschlossen.',
      canceled: 'Diese Bestellung wurde storniert.',
      on_its_way: 'Deine Bestellung ist unterwegs.',
      partly_on_its_way: 'Ein Teil deiner Bestellung ist unterwegs.',
      delivered: 'Deine Bestellung wurde zugestellt.',
      partly_delivered: 'Ein Teil deiner Bestellung wurde zugestellt.',
    },
    payment: 'Zahlung',
    payments: {
      pending: 'Wartet auf deine Zahlung',
      authorized: 'Reserviert',
      paid: 'Bezahlt',
      partially_refunded: 'Teilweise erstattet',
      refunded: 'Erstattet',
      voided: 'Storniert, es wurde nichts abgebucht',
      failed: 'Fehlgeschlagen',
      unknown: 'Eine Erstattung wird bestätigt',
    },
    items: 'Artikel',
    units: (ordered, { canceled, returned }) =>
      [`Menge ${ordered}`, canceled > 0 && `${canceled} storniert`, returned > 0 && `${returned} zurückgegeben`]
        .filter(Boolean)
        .join(' · '),
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    free: 'Kostenlos',
    tax: 'Steuern',
    includedTax: 'Enthaltene Steuern:',
    total: 'Gesamtbetrag',
    refunded: 'Erstattet',
    refundPending: 'Erstattung unterwegs',
    parcels: 'Lieferung',
    noParcel: 'Es wurde noch nichts verschickt. Wir schreiben dir, sobald dein Paket unterwegs ist.',
    noDelivery: 'Es wurde noch nichts gesendet. Was du gekauft hast, kommt per E-Mail.',
    parcel: {
      pending: () => 'Wird vorbereitet',
      canceled: () => 'Storniert',
      dispatched: (date) => `Verschickt am ${date}`,
      delivered: (date) => `Zugestellt am ${date}`,
      failed: () => 'Konnte nicht zugestellt werden',
    },
    track: 'Paket verfolgen',
    tracking: 'Sendungsnummer',
    carrier: 'Versanddienst',
    requests: 'Stornierungen und Rückgaben',
    cancellation: {
      requested: 'Stornierung angefragt',
      approved: 'Stornierung angenommen',
      declined: 'Stornierung abgelehnt',
      completed: 'Storniert',
    },
    kinds: { refund_only: 'Erstattung', return: 'Rückgabe', exchange: 'Umtausch', repair: 'Reparatur' },
    request: {
      requested: 'Deine Anfrage ist eingegangen.',
      under_review: 'Wir prüfen deine Anfrage.',
      approved: 'Deine Anfrage wurde angenommen.',
      declined: 'Deine Anfrage wurde abgelehnt.',
      awaiting_return: 'Deine Anfrage wurde angenommen. Bitte sende die Artikel zurück.',
      in_transit: 'Deine Artikel sind unterwegs zu uns.',
      received: 'Deine Artikel sind angekommen.',
      inspecting: 'Wir prüfen deine Artikel.',
      resolving: 'Wir schließen deine Anfrage ab.',
      completed: 'Abgeschlossen.',
      withdrawn: 'Zurückgezogen.',
      expired: 'Die Artikel wurden nicht rechtzeitig zurückgesendet.',
    },
    refundOf: (amount) => `Erstattung: ${amount}`,
    decideBy: (date) => `Du erhältst bis zum ${date} eine Antwort.`,
    sendTo: 'Sende die Artikel an:',
    returnBy: (date) => `Sende die Artikel bis zum ${date} ab.`,
    delivery: 'Adresse und Versand',
    reachedAt: 'Kontakt',
    shipTo: 'Lieferadresse',
    billTo: 'Rechnungsadresse',
    method: 'Versandart',
    email: 'Nachrichten gehen an',
    invoices: 'Rechnungen',
    invoice: { invoice: 'Rechnung', credit_note: 'Rechnungskorrektur' },
    timeline: 'Verlauf',
    documents: 'Akzeptierte Dokumente',
    contact: 'Fragen zu deiner Bestellung?',
    cancel: 'Artikel stornieren',
    cancelBy: 'Stornierung',
    until: (date) => `Möglich bis ${date}`,
    stillFor: (time) => `Noch ${time} möglich`,
    giveBack: 'Artikel zurückgeben oder Problem melden',
    received: 'Danke. Deine Bestellung ist aktualisiert.',
  },
}
