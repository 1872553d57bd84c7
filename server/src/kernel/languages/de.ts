import type { Departure, en } from './en.ts'

const fields = {
  countryCode: 'Das Land',
  region: 'Die Region',
  postalCode: 'Die Postleitzahl',
  vatId: 'Die USt-IdNr.',
}

const addresses = { shipping: 'Lieferadresse', billing: 'Rechnungsadresse' }

const promotionReasons = {
  invalid: 'Dieser Code gilt nicht für diesen Warenkorb.',
  not_started: 'Diese Aktion hat noch nicht begonnen.',
  expired: 'Diese Aktion ist beendet.',
  customer_required: 'Melde dich an, um diesen Code einzulösen.',
  customer_ineligible: 'Dieser Code gilt nicht für dein Konto.',
  usage_limit_reached: 'Dieser Code ist aufgebraucht.',
  minimum_not_met: 'Der Warenkorb erreicht den Mindestwert für diesen Code nicht.',
  combination_disallowed: 'Dieser Code lässt sich nicht mit den schon angewendeten Aktionen kombinieren.',
}

const left = (units: number) => `Nur noch ${units} auf Lager.`
const unitsWere = (units: number) => (units === 1 ? '1 Stück wurde' : `${units} Stück wurden`)

function shipped({ carrier, trackingNumber, trackingUrl }: Departure): string {
  const by = carrier === null ? '' : ` mit ${carrier}`
  const number = trackingNumber === null ? '' : `, ${trackingNumber}`
  return `Die Ware wurde${by} verschickt${number}${trackingUrl === null ? '.' : `: ${trackingUrl}`}`
}

/** German. */
export const de: typeof en = {
  cart: {
    cart_locked: 'Der Warenkorb ist an der Kasse.',
    cart_converted: 'Der Warenkorb wurde bestellt.',
    cart_revoked: 'Der Warenkorb wurde widerrufen.',
    cart_expired: 'Der Warenkorb ist abgelaufen.',
    cart_empty: 'Der Warenkorb ist leer.',
    sku_unavailable: 'Dieser Artikel ist nicht mehr erhältlich.',
    currency_mismatch: ({ currency }) => `Diesen Artikel gibt es nicht in ${currency}.`,
    price_changed: ({ isHigher }) =>
      `Der Preis ist ${isHigher ? 'gestiegen' : 'gesunken'}, seit dieser Artikel in den Warenkorb gelegt wurde.`,
    quantity_exceeded: ({ max }) => `Von diesem Artikel kannst du höchstens ${max} kaufen.`,
    quantity_invalid: ({ min, step }) => `Die Mindestmenge ist ${min}, in Schritten von ${step}.`,
    out_of_stock: 'Dieser Artikel ist ausverkauft.',
    insufficient_stock: ({ units }) => (units === null ? 'Nicht genug auf Lager.' : left(units)),
    low_stock: ({ units }) => left(units),
    backorder: 'Nachbestellt: Versand, sobald wieder auf Lager.',
    preorder: 'Vorbestellung: Versand bei Erscheinen.',
    promotion_inapplicable: ({ reason }) => promotionReasons[reason],
    shipping_unavailable: 'Der Shop liefert nicht an dieses Ziel.',
    shipping_option_unavailable: 'Die gewählte Versandart ist nicht mehr verfügbar. Bitte wähle eine andere.',
    address_missing: ({ address }) => `Die ${addresses[address]} fehlt.`,
    address_incomplete: ({ address, field }) => `${fields[field]} der ${addresses[address]} fehlt.`,
    address_invalid: ({ address, field }) => `${fields[field]} der ${addresses[address]} ist ungültig.`,
    email_missing: 'Die E-Mail-Adresse fehlt.',
    tax_not_calculated: 'Für dieses Ziel ist kein Steuersatz bekannt.',
  },
  tax: {
    intra_community_supply: {
      name: '0 % MwSt., innergemeinschaftliche Lieferung',
      note: 'Steuerfreie innergemeinschaftliche Lieferung (Artikel 138 der Richtlinie 2006/112/EG).',
    },
    reverse_charge: {
      name: '0 % MwSt., Steuerschuldnerschaft des Leistungsempfängers',
      note: 'Steuerschuldnerschaft des Leistungsempfängers (Artikel 196 der Richtlinie 2006/112/EG).',
    },
    export: {
      name: '0 % MwSt., Ausfuhrlieferung',
      note: 'Steuerfreie Ausfuhrlieferung (Artikel 146 der Richtlinie 2006/112/EG).',
    },
    small_business: {
      name: 'Keine MwSt., Kleinunternehmen',
      note: 'Es wird keine Umsatzsteuer berechnet: Der Verkäufer nutzt die Steuerbefreiung für Kleinunternehmen.',
    },
  },
  eligibility: {
    payment_outcome_unknown: 'Das Ergebnis einer Zahlung steht noch nicht fest.',
    payment_not_settled: 'Die Bestellung ist nicht bezahlt.',
    order_canceled: 'Die Bestellung ist storniert.',
    order_not_completed: 'Noch wurde nichts verschickt.',
    order_on_hold: 'Die Bestellung ist angehalten und wird manuell geprüft.',
    already_shipped: 'Alles wurde schon verschickt.',
    in_fulfillment: 'Die Bestellung wird vorbereitet. Der Shop prüft deine Anfrage.',
    approval_required: 'Der Shop prüft jede Anfrage.',
    refund_by_hand: 'Die Bestellung wurde anderswo bezahlt und wird manuell erstattet.',
    window_closed: 'Die Frist ist abgelaufen.',
    not_shipped: 'Der Artikel ist noch nicht verschickt. Storniere ihn stattdessen.',
    already_reimbursed: 'Der Artikel wurde schon erstattet.',
    final_sale: 'Der Artikel ist vom Umtausch ausgeschlossen.',
    quantity_exceeded: 'So viele Stück sind nicht möglich.',
    open_request_exists: 'Es gibt schon eine offene Anfrage.',
    kind_not_offered: 'Der Shop bietet das nicht an.',
  },
  orderTimeline: {
    confirmed: 'Die Bestellung wurde bestätigt.',
    processing: 'Die Bestellung wird vorbereitet.',
    parcel_dispatched: ({ units, carrier }) =>
      `${unitsWere(units)} ${carrier === null ? 'verschickt' : `an ${carrier} übergeben`}.`,
    parcel_delivered: ({ units }) => `${unitsWere(units)} zugestellt.`,
    parcel_failed: ({ units }) => `${unitsWere(units)} nicht zugestellt.`,
    parcel_changed: 'Die Angaben zu einem Paket haben sich geändert.',
    completed: 'Alle Artikel wurden verschickt.',
    units_canceled: ({ units }) => `${unitsWere(units)} storniert.`,
    canceled: 'Die Bestellung wurde storniert.',
    units_returned: ({ units }) => `${unitsWere(units)} zurückgeschickt.`,
    return_declined: ({ units }) => `${unitsWere(units)} nicht zurückgenommen.`,
    held: ({ reason }) => reason ?? 'Die Bestellung wurde angehalten.',
    released: 'Die Bestellung wurde freigegeben.',
    refund_not_needed: 'Es musste nichts erstattet werden.',
    refund_begun: ({ isRetry }) =>
      isRetry ? 'Die Erstattung wurde erneut veranlasst.' : 'Eine Erstattung wurde veranlasst.',
    refunded: 'Die Erstattung wurde ausgezahlt.',
    refund_failed: 'Die Erstattung ist fehlgeschlagen. Sie wird erneut veranlasst.',
    refund_unknown: 'Das Ergebnis der Erstattung wird geprüft.',
    payment_voided: 'Die Zahlungsreservierung wurde aufgehoben.',
    payment_authorized: 'Die Zahlung wurde reserviert.',
    payment_captured: 'Die Zahlung wurde abgeschlossen.',
    payment_failed: 'Die Zahlung ist fehlgeschlagen.',
    payment_disputed: 'Die Zahlung wurde bei der Bank angefochten.',
    dispute_won: 'Die Zahlungsanfechtung wurde zugunsten des Shops entschieden.',
    dispute_lost: 'Die Zahlungsanfechtung wurde zugunsten des Käufers entschieden.',
  },
  afterSalesTimeline: {
    requested: 'Die Anfrage ist eingegangen.',
    under_review: 'Die Anfrage wird geprüft.',
    approved: 'Die Anfrage wurde angenommen.',
    declined: 'Die Anfrage wurde abgelehnt.',
    awaiting_return: 'Wir warten auf die Rücksendung.',
    in_transit: 'Die Ware ist auf dem Rückweg.',
    received: 'Die Ware ist eingegangen.',
    inspecting: 'Die Ware wurde geprüft.',
    resolving: 'Die Anfrage wird abgewickelt.',
    completed: ({ departure }) =>
      departure === null ? 'Die Anfrage ist abgeschlossen.' : `Die Anfrage ist abgeschlossen. ${shipped(departure)}`,
    withdrawn: 'Die Anfrage wurde zurückgezogen.',
    expired: 'Die Ware wurde nicht rechtzeitig zurückgeschickt.',
  },
  facets: {
    category: 'Kategorie',
    store: 'Shop',
    brand: 'Marke',
    price: 'Preis',
    availability: 'Verfügbarkeit',
    in_stock: 'Auf Lager',
    any: 'Alle',
  },
}
