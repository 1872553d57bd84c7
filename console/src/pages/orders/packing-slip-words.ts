/** The texts of a packing slip. They are in the language of the customer, not of the operator who prints it. */
interface SlipWords {
  readonly title: string
  readonly order: string
  readonly date: string
  readonly shipTo: string
  readonly shipping: string
  readonly item: string
  readonly code: string
  readonly quantity: string
  readonly returns: string
  readonly test: string
  readonly page: (number: string, store: string) => string
}

const de: SlipWords = {
  title: 'Lieferschein',
  order: 'Bestellung',
  date: 'Bestellt am',
  shipTo: 'Lieferadresse',
  shipping: 'Versandart',
  item: 'Artikel',
  code: 'Artikelnummer',
  quantity: 'Menge',
  returns: 'Adresse für Rücksendungen',
  test: 'Testbestellung: nicht versenden',
  page: (number, store) => `Lieferschein ${number}, ${store}`,
}

const en: SlipWords = {
  title: 'Packing slip',
  order: 'Order',
  date: 'Ordered on',
  shipTo: 'Ship to',
  shipping: 'Shipping method',
  item: 'Item',
  code: 'Item number',
  quantity: 'Quantity',
  returns: 'Address for returns',
  test: 'Test order: do not ship',
  page: (number, store) => `Packing slip ${number}, ${store}`,
}

/** The texts in the language of an order, otherwise in English. */
export function slipWords(locale: string): { readonly language: string; readonly words: SlipWords } {
  const [language] = locale.split('-')
  return language === 'de' ? { language, words: de } : { language: 'en', words: en }
}
