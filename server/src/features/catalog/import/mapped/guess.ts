import { isCurrency } from '../../../../kernel/currencies.ts'
import { LOCALIZED_HEADERS } from '../product-table.ts'
import { type Mapping, OPTIONS_MAX } from './columns.ts'

/** Column names by target, without spaces, punctuation and accents: of Shopify, of our own export, and common ones in English and German. */
const ALIASES: Readonly<Record<string, string>> = {
  id: 'productid id handle urlhandle externalid parentid parentsku produktid',
  slug: 'slug',
  name: 'title name product productname producttitle articlename titel produkt produktname artikelname bezeichnung artikelbezeichnung',
  description:
    'bodyhtml body description longdescription productdescription beschreibung produktbeschreibung artikelbeschreibung',
  brand: 'vendor brand manufacturer brands marke hersteller',
  category: 'productcategory categories category kategorie kategorien produktkategorie',
  type: 'type producttype produkttyp',
  tags: 'tags schlagworte schlagworter',
  status: 'status',
  published: 'published publishedononlinestore',
  seoTitle: 'seotitle metatitle',
  seoDescription: 'seodescription metadescription',
  code: 'variantsku sku code articlenumber itemnumber skucode artikelnummer artikelnr artnr bestellnummer',
  barcode: 'variantbarcode barcode gtin ean upc gtinupceanorisbn strichcode',
  price: 'variantprice price regularprice unitprice preis verkaufspreis bruttopreis',
  compareAt: 'variantcompareatprice compareatprice rrp listprice uvp streichpreis',
  stock: 'variantinventoryqty inventoryquantity stock quantity qty inventory bestand lagerbestand menge',
  stockTracked: 'variantinventorytracker inventorytracker',
  whenOutOfStock: 'variantinventorypolicy continuesellingwhenoutofstock whenoutofstock',
  weightGrams: 'variantgrams grams weightvaluegrams weightg weightgrams gewichtg',
  weightKilograms: 'weightkg weight gewichtkg gewicht',
  requiresShipping: 'variantrequiresshipping requiresshipping',
  taxCategory: 'taxcategory',
  image: 'imagesrc productimageurl image images imageurl picture bild bilder bildurl',
  imagePosition: 'imageposition',
  imageAlt: 'imagealttext imagealt',
  skuImage: 'variantimage variantimageurl skuimage',
}
const BY_ALIAS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ALIASES).flatMap(([target, names]) => names.split(' ').map((name) => [name, target] as const)),
  ...Array.from({ length: OPTIONS_MAX }, (_, index) => index + 1).flatMap((number) => [
    [`option${number}name`, `option${number}Name`] as const,
    [`option${number}value`, `option${number}Value`] as const,
  ]),
])

/** Columns that Shopify adds for each market, as in `Price / Germany`. */
export function isMarketColumn(header: string): boolean {
  return /^(?:included|price|compare[ -]at price) \/ /i.test(header)
}

/** The form of a table with a known header: an export of Shopify, or our own. */
export function knownForm(header: readonly string[]): 'shopify' | 'export' | null {
  const names = new Set(header.map(bare))
  const hasAll = (...all: readonly string[]) => all.every((name) => names.has(name))
  if (hasAll('productid', 'slug', 'sku')) return 'export'
  if (hasAll('handle', 'title') && (names.has('variantprice') || names.has('variantsku'))) return 'shopify'
  return hasAll('urlhandle', 'title', 'price') ? 'shopify' : null
}

/** Whether the columns are those of our spreadsheet form, whose amounts are in minor units. */
export function isSpreadsheetForm(header: readonly string[]): boolean {
  return header.includes('id') && header.some((name) => /^price\.[A-Z]{3}$/.test(name))
}

interface Sampled {
  readonly header: readonly string[]
  /** Cells of the first rows. */
  readonly rows: readonly (readonly string[])[]
  readonly currency: string
  readonly locale: string
}

/** The likely mapping of a table. */
export function guessMapping({ header, rows, currency, locale }: Sampled): Mapping {
  const used = new Set<string>()
  const columns = header.map((name) => {
    const target = targetOf(name)
    if (used.has(target)) return 'skip'
    if (target !== 'skip') used.add(target)
    return target
  })
  const amounts = columns.flatMap((target, column) =>
    /^(?:price|compareAt)/.test(target) ? rows.map((cells) => cells[column] ?? '') : [],
  )
  // Without a known price, each column that contains only numbers may be the one that the operator chooses.
  const hasComma =
    amounts.length > 0
      ? amounts.some((amount) => /\d,\d{1,2}(?:\D|$)/.test(amount))
      : rows.flat().some((cell) => /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/.test(cell.trim()))
  return { columns, currency, locale, decimal: hasComma ? 'comma' : 'point' }
}

function targetOf(header: string): string {
  const name = header.trim()
  const localized = /^(.+) \(([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\)$/.exec(name)
  const text = LOCALIZED_HEADERS.find(({ label }) => label === localized?.[1])
  if (localized && text) return `${text.target}.${localized[2]}`
  if (isMarketColumn(name)) return 'skip'
  const priced = /^(compare-?at )?price \(?([a-z]{3})\)?$/i.exec(name)
  const currency = priced?.[2]?.toUpperCase()
  if (currency !== undefined && isCurrency(currency)) return `${priced?.[1] ? 'compareAt' : 'price'}.${currency}`
  return BY_ALIAS.get(bare(name)) ?? 'skip'
}

function bare(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
}

/** The column with the reason in a download of refused rows. */
export const REASON_HEADER = 'Import error'

/** Whether a table was downloaded from this service, which protects cells that look like formulas. */
export function isProtected(header: readonly string[]): boolean {
  return knownForm(header) === 'export' || header.includes(REASON_HEADER)
}
