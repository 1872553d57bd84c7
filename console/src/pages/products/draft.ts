import type { OperatorProduct, OperatorSku } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { FieldError } from '../../ui/form/field-error.ts'
import { slugOf } from '../../ui/format/text.ts'

/** The unsaved edits of a product: texts as typed, and variants as rows of a grid. */
export interface Draft {
  readonly names: Texts
  readonly subtitles: Texts
  readonly descriptions: Texts
  readonly format: 'plain' | 'markdown'
  readonly seoTitles: Texts
  readonly seoDescriptions: Texts
  readonly slug: string
  readonly brand: string
  readonly status: OperatorProduct['status']
  readonly categories: OperatorProduct['categories']
  readonly images: OperatorProduct['images']
  readonly options: OperatorProduct['options']
  readonly attributes: OperatorProduct['attributes']
  readonly relatedProductIds: OperatorProduct['relatedProductIds']
  readonly variants: readonly Variant[]
}

export type Texts = Readonly<Record<string, string>>
export type Environment = 'live' | 'test'

/** A row of the grid. Its cells have the values as typed, keyed by column. */
export interface Variant {
  /** The ID of its SKU; absent for a variant that is not saved yet. */
  readonly id?: string
  readonly options: Readonly<Record<string, string>>
  readonly cells: Texts
  readonly image: OperatorSku['image']
}

/** The cells that do not depend on a currency or an environment. */
const PLAIN = ['code', 'barcode', 'weight', 'taxCategory', 'minQuantity', 'maxQuantity', 'step', 'shipping'] as const
export const priceCell = (currency: string) => `price.${currency}`
export const beforeCell = (currency: string) => `before.${currency}`
export const stockCell = (environment: Environment) => `stock.${environment}`
export const outCell = (environment: Environment) => `out.${environment}`
const STOCK = /^(stock|out)\./
export const ENVIRONMENTS: readonly Environment[] = ['live', 'test']

export function draftOf(product: OperatorProduct): Draft {
  const { names, subtitles, descriptions, seo, slug, brand, status, categories, images, options, attributes } = product
  const { relatedProductIds } = product
  return {
    ...{ names, subtitles, slug, status, categories, images, options, attributes, relatedProductIds },
    descriptions: Object.fromEntries(Object.entries(descriptions).map(([locale, { text }]) => [locale, text])),
    format: Object.values(descriptions)[0]?.format ?? 'plain',
    seoTitles: seo?.titles ?? {},
    seoDescriptions: seo?.descriptions ?? {},
    brand: brand ?? '',
    variants: product.skus.map((sku) => ({ id: sku.id, options: sku.options, cells: cellsOf(sku), image: sku.image })),
  }
}

function cellsOf(sku: OperatorSku): Texts {
  const prices = sku.prices.flatMap(({ currency, amount, compareAt }) => [
    [priceCell(currency), formatDecimal(amount, currency)],
    [beforeCell(currency), compareAt === undefined ? '' : formatDecimal(compareAt, currency)],
  ])
  const stock = sku.stock.flatMap(({ environment, onHand, whenOutOfStock }) => [
    [stockCell(environment), onHand === null ? '' : String(onHand)],
    [outCell(environment), whenOutOfStock],
  ])
  return {
    ...Object.fromEntries([...prices, ...stock]),
    code: sku.code,
    barcode: sku.barcode ?? '',
    weight: sku.weightGrams === null ? '' : String(sku.weightGrams),
    taxCategory: sku.taxCategory,
    minQuantity: String(sku.minQuantity),
    maxQuantity: String(sku.maxQuantity),
    step: String(sku.step),
    shipping: sku.requiresShipping ? 'yes' : 'no',
  }
}

const VARIANTS_MAX = 250

type Attribute = Draft['attributes'][number]

/** The key of an attribute that is not saved yet follows its label. A saved one stays: filters and imports use it. */
export function renamedAttribute(
  attribute: Attribute,
  locale: string,
  label: string,
  { attributes, saved }: { readonly attributes: readonly Attribute[]; readonly saved: readonly Attribute[] },
): Partial<Attribute> {
  const { key, labels } = attribute
  // An added one may have the key of a saved one for a moment, while its label is typed. The saved one comes first.
  const isSaved = saved.some((each) => each.key === key) && attributes.find((each) => each.key === key) === attribute
  const isDerived = /^attribute-\d+$/.test(key) || key === slugOf(labels?.[locale] ?? '')
  const follows = !isSaved && isDerived && slugOf(label) !== ''
  return { labels: { ...labels, [locale]: label }, ...(follows && { key: slugOf(label) }) }
}

/**
 * Changes the options and rebuilds the variants: one for each combination. A variant keeps its SKU if its values still exist, and takes
 * the first value of an added option. An added variant is a copy of the first one, with its own code and no stock.
 */
export function withOptions(draft: Draft, options: Draft['options']): Draft {
  const used = options.filter(({ values }) => values.length > 0)
  const combinations = used.reduce<Texts[]>(
    (all, { name, values }) => all.flatMap((each) => values.map(({ value }) => ({ ...each, [name]: value }))),
    [{}],
  )
  if (combinations.length > VARIANTS_MAX) {
    throw new Error(
      translate('These are {count} variants. A product can have {max}.', {
        count: combinations.length,
        max: VARIANTS_MAX,
      }),
    )
  }
  const first = (name: string) => used.find((option) => option.name === name)?.values[0]?.value
  const free = new Set(draft.variants)
  const variants = combinations.map((combination) => {
    const same = [...free].find(({ options: own }) =>
      Object.entries(combination).every(([name, value]) => (own[name] ?? first(name)) === value),
    )
    if (same) free.delete(same)
    return same ? recoded(same, draft.variants[0], combination) : addedVariant(draft.variants[0], combination)
  })
  return { ...draft, options, variants }
}

function addedVariant(like: Variant | undefined, options: Texts): Variant {
  const stock = Object.fromEntries(ENVIRONMENTS.map((environment) => [stockCell(environment), '0']))
  return { options, image: null, cells: { ...like?.cells, ...stock, barcode: '', code: codeOf(like, options) } }
}

/** Gives an unsaved variant the code of its new options, unless the operator has edited its code. */
function recoded(variant: Variant, like: Variant | undefined, options: Texts): Variant {
  const isGenerated = variant.id === undefined && variant.cells.code === codeOf(like, variant.options)
  return { ...variant, options, ...(isGenerated && { cells: { ...variant.cells, code: codeOf(like, options) } }) }
}

function codeOf(like: Variant | undefined, options: Texts): string {
  const ends = Object.values(options).map((value) => slugOf(value).toUpperCase())
  return [like ? baseCode(like) : '', ...ends].filter(Boolean).join('-')
}

/** The code of a variant without the values of its options. */
function baseCode({ cells: { code = '' }, options }: Variant): string {
  const ends = Object.values(options).map((value) => slugOf(value).toUpperCase())
  return ends.reduceRight((rest, end) => (rest.endsWith(`-${end}`) ? rest.slice(0, -end.length - 1) : rest), code)
}

/** `Blue / M` */
export function variantName({ options }: Pick<Variant, 'options'>, all: Draft['options']): string {
  const labels = all.flatMap(({ name, values }) => {
    const found = values.find(({ value }) => value === options[name])
    return found ? [Object.values(found.labels ?? {})[0] ?? found.value] : []
  })
  return labels.join(' / ') || translate('Default')
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
export const isChanged = (draft: Draft, saved: Draft) => !isSame(draft, saved)

/** The texts, trimmed and without empty ones. */
function typed(texts: Texts): Record<string, string> {
  const entries = Object.entries(texts).map(([locale, text]) => [locale, text.trim()] as const)
  return Object.fromEntries(entries.filter(([, text]) => text !== ''))
}

/** An attribute that was a number stays one if its text is a number, with a point or a comma: filters compare numbers. */
function readNumber(attribute: Attribute, saved: readonly Attribute[]): Attribute {
  const { key, value } = attribute
  const wasNumber = saved.some((each) => each.key === key && typeof each.value === 'number')
  if (!wasNumber || typeof value !== 'string' || !/^\s*-?\d+([.,]\d+)?\s*$/.test(value)) return attribute
  return { ...attribute, value: Number(value.replace(',', '.')) }
}

/** The body of `updateProduct`: the differences from the saved product. Throws a `FieldError` for a value that cannot be read. */
export function changeOf(draft: Draft, saved: Draft) {
  const { slug, status, categories, images, options, attributes, relatedProductIds } = draft
  const plain = {
    slug,
    status,
    categories,
    images,
    options: options.filter(({ values }) => values.length > 0),
    attributes: attributes.map((attribute) => readNumber(attribute, saved.attributes)),
    relatedProductIds,
  }
  const isNew = (name: keyof typeof plain) => !isSame(plain[name], saved[name])
  const texts = { names: typed(draft.names), subtitles: typed(draft.subtitles) }
  const descriptions = Object.entries(typed(draft.descriptions)).map(([locale, text]) => [
    locale,
    { format: draft.format, text },
  ])
  const hasSameDescriptions = isSame(draft.descriptions, saved.descriptions) && draft.format === saved.format
  const hasSameSeo = isSame([draft.seoTitles, draft.seoDescriptions], [saved.seoTitles, saved.seoDescriptions])
  const skus = draft.variants.flatMap((variant) => {
    const before = saved.variants.find(({ id }) => id !== undefined && id === variant.id)
    return before && isSame({ ...before, cells: contentCells(before) }, { ...variant, cells: contentCells(variant) })
      ? []
      : [skuOf(variant, draft.variants.indexOf(variant))]
  })
  const removeSkus = saved.variants.flatMap(({ id }) =>
    id && !draft.variants.some((variant) => variant.id === id) ? [id] : [],
  )
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([name]) => isNew(name as keyof typeof plain))),
    ...Object.fromEntries(
      Object.entries(texts).filter(([name]) => !isSame(texts[name as 'names'], saved[name as 'names'])),
    ),
    ...(!hasSameDescriptions && { descriptions: Object.fromEntries(descriptions) }),
    ...(draft.brand !== saved.brand && { brand: draft.brand.trim() || null }),
    ...(!hasSameSeo && { seo: seoOf(draft) }),
    ...(skus.length > 0 && { skus }),
    ...(removeSkus.length > 0 && { removeSkus }),
  }
}

function seoOf({ seoTitles, seoDescriptions }: Draft) {
  const [titles, descriptions] = [typed(seoTitles), typed(seoDescriptions)]
  const parts = Object.entries({ titles, descriptions }).filter(([, texts]) => Object.keys(texts).length > 0)
  return parts.length > 0 ? Object.fromEntries(parts) : null
}

/** The cells without the stock, which another operation saves. */
function contentCells({ cells }: Variant): Texts {
  const names = Object.keys(cells).filter((name) => !STOCK.test(name))
  return Object.fromEntries(names.sort().map((name) => [name, cells[name] ?? '']))
}

function skuOf(variant: Variant, row: number) {
  const { id, options, cells, image } = variant
  const number = (name: (typeof PLAIN)[number]) => wholeOf(cells[name] ?? '', row, name)
  const currencies = Object.keys(cells).flatMap((name) => /^price\.(.+)$/.exec(name)?.[1] ?? [])
  const prices = currencies.flatMap((currency) => priceOf(cells, currency, row))
  return {
    ...(id !== undefined && { id }),
    ...{ options, image, prices, code: (cells.code ?? '').trim(), barcode: (cells.barcode ?? '').trim() || null },
    weightGrams: (cells.weight ?? '') === '' ? null : number('weight'),
    requiresShipping: cells.shipping !== 'no',
    taxCategory: cells.taxCategory || 'standard',
    minQuantity: number('minQuantity'),
    maxQuantity: number('maxQuantity'),
    step: number('step'),
    ...(id === undefined && addedStock(cells, row)),
  }
}

function addedStock(cells: Texts, row: number) {
  const [stock = '', whenOut] = [cells[stockCell('live')], cells[outCell('live')]]
  const whenOutOfStock = whenOut as 'deny' | 'backorder' | 'preorder' | undefined
  return {
    stock: stock === '' ? null : wholeOf(stock, row, stockCell('live')),
    ...(whenOutOfStock && { whenOutOfStock }),
  }
}

function priceOf(cells: Texts, currency: string, row: number) {
  const [amount = '', before = ''] = [cells[priceCell(currency)], cells[beforeCell(currency)]]
  if (amount === '') return []
  const read = (text: string, name: string) => {
    const parsed = parseAmount(text, currency)
    if (Number.isNaN(parsed))
      throw new FieldError(
        `/variants/${row}/${name}`,
        translate('“{text}” is not an amount in {currency}.', { text, currency }),
      )
    return parsed
  }
  const compareAt = before === '' ? undefined : read(before, beforeCell(currency))
  return [{ currency, amount: read(amount, priceCell(currency)), ...(compareAt !== undefined && { compareAt }) }]
}

function wholeOf(text: string, row: number, name: string): number {
  if (/^\d+$/.test(text.trim())) return Number(text)
  throw new FieldError(`/variants/${row}/${name}`, translate('“{text}” is not a whole number.', { text }))
}

/** The changed stock of the SKUs that already exist. */
export function stockChanges(draft: Draft, saved: Draft) {
  return draft.variants.flatMap(({ id, cells }, row) => {
    const before = saved.variants.find((variant) => id !== undefined && variant.id === id)?.cells
    if (id === undefined || !before) return []
    return ENVIRONMENTS.flatMap((environment) => {
      const [stock, out] = [stockCell(environment), outCell(environment)]
      if ((cells[stock] ?? '') === (before[stock] ?? '') && cells[out] === before[out]) return []
      const onHand = (cells[stock] ?? '') === '' ? null : wholeOf(cells[stock] ?? '', row, stock)
      return [{ skuId: id, environment, onHand, whenOutOfStock: (cells[out] ?? 'deny') as 'deny' }]
    })
  })
}

/** The draft after only a part of it was saved: the saved product, with the stock as typed. */
export function withStockOf(draft: Draft, saved: Draft): Draft {
  const stockOf = (id: string | undefined) => {
    const cells = draft.variants.find((variant) => variant.id === id)?.cells ?? {}
    return Object.fromEntries(Object.entries(cells).filter(([name]) => STOCK.test(name)))
  }
  const variants = saved.variants.map((variant) => ({
    ...variant,
    cells: { ...variant.cells, ...stockOf(variant.id) },
  }))
  return { ...saved, variants }
}

const POINTER_CELLS: Readonly<Record<string, string>> = {
  code: 'code',
  barcode: 'barcode',
  weightGrams: 'weight',
  taxCategory: 'taxCategory',
  minQuantity: 'minQuantity',
  maxQuantity: 'maxQuantity',
  step: 'step',
}

/** The cell that a JSON pointer into the sent body refers to, such as `/skus/0/prices/1/amount`. */
export function cellAt(pointer: string, draft: Draft, saved: Draft): string | null {
  const own = /^\/variants\/(\d+\/.+)$/.exec(pointer)?.[1]
  if (own) return own
  const [, index, field = '', part = '', member = ''] =
    /^\/skus\/(\d+)\/(\w+)(?:\/(\d+))?(?:\/(\w+))?/.exec(pointer) ?? []
  if (index === undefined) return null
  const sent = (changeOf(draft, saved).skus ?? [])[Number(index)]
  const row = draft.variants.findIndex(({ id, options }) =>
    sent?.id === undefined ? id === undefined && isSame(options, sent?.options) : id === sent.id,
  )
  const currency = sent?.prices[Number(part)]?.currency ?? ''
  const name = field === 'prices' ? (member === 'compareAt' ? beforeCell : priceCell)(currency) : POINTER_CELLS[field]
  return row < 0 || name === undefined ? null : `${row}/${name}`
}
