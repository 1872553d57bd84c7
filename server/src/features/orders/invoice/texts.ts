import { type Language, languageOf } from '../../../kernel/languages/languages.ts'

const en = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  number: 'Number',
  date: 'Date',
  order: 'Order',
  corrects: 'Corrects invoice',
  buyerVatId: 'Your VAT number',
  vatId: 'VAT number',
  taxNumber: 'Tax number',
  representative: 'Represented by',
  description: 'Description',
  quantity: 'Quantity',
  rate: 'Tax',
  amount: 'Amount',
  shipping: 'Shipping',
  discount: 'Discount',
  net: 'Net amount',
  on: 'on',
  total: 'Total',
  paid: 'Paid. Nothing is due.',
  refunded: 'Refunded to the original payment method.',
  shipTo: 'Delivery address',
  page: 'Page',
  deliveryNote: 'Date of supply: the date of this document, unless stated otherwise.',
  reverseCharge: 'Reverse charge: the recipient is liable for the VAT.',
  intraCommunity: 'Tax-exempt supply within the European Union.',
  export: 'Tax-exempt export.',
  exempt: 'No tax is charged.',
  test: 'Test: not a valid invoice',
  replaced: '\ufffd stands for a character that cannot be printed here. The attached file factur-x.xml has it.',
}
export type InvoiceTexts = typeof en

const de: InvoiceTexts = {
  invoice: 'Rechnung',
  credit_note: 'Rechnungskorrektur',
  number: 'Nummer',
  date: 'Datum',
  order: 'Bestellung',
  corrects: 'Korrigiert Rechnung',
  buyerVatId: 'Ihre USt-IdNr.',
  vatId: 'USt-IdNr.',
  taxNumber: 'Steuernummer',
  representative: 'Vertreten durch',
  description: 'Bezeichnung',
  quantity: 'Menge',
  rate: 'Steuer',
  amount: 'Betrag',
  shipping: 'Versand',
  discount: 'Rabatt',
  net: 'Nettobetrag',
  on: 'auf',
  total: 'Gesamtbetrag',
  paid: 'Bezahlt. Es ist nichts mehr zu zahlen.',
  refunded: 'Die Erstattung erfolgt über die Zahlungsart der Bestellung.',
  shipTo: 'Lieferanschrift',
  page: 'Seite',
  deliveryNote: 'Das Leistungsdatum entspricht dem Datum dieses Dokuments, soweit nicht anders angegeben.',
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers.',
  intraCommunity: 'Steuerfreie innergemeinschaftliche Lieferung.',
  export: 'Steuerfreie Ausfuhrlieferung.',
  exempt: 'Es wird keine Steuer berechnet.',
  test: 'Test: keine gültige Rechnung',
  replaced:
    '\ufffd steht für ein Zeichen, das hier nicht gedruckt werden kann. Die angehängte Datei factur-x.xml enthält es.',
}

const TEXTS: Readonly<Record<Language, InvoiceTexts>> = { en, de }

/** The texts of an invoice in the language of its order. */
export function invoiceTexts(locale: string): InvoiceTexts {
  return TEXTS[languageOf(locale)]
}
