import type { InputOf } from '@vitrine/contract'
import type { OperatorProduct, operatorOperations } from '@vitrine/contract/operator'
import type { ProductRecord, ProductSaving } from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import { type FieldFault, refuse } from '../../../kernel/refusal.ts'

type Rows = typeof operatorOperations
type Line = ProductSaving['line']
type SkuLine = Line['skus'][number]
export type NewProduct = Omit<InputOf<Rows['createProduct']>['body'], 'relatedProductIds'>
type ProductChange = Omit<InputOf<Rows['updateProduct']>['body'], 'expectedVersion' | 'relatedProductIds'>
type SkuChange = NonNullable<ProductChange['skus']>[number]
type SkuContent = Omit<OperatorProduct['skus'][number], 'id' | 'stock'>
type Content = Omit<
  OperatorProduct,
  | 'id'
  | 'store'
  | 'externalId'
  | 'skus'
  | 'relatedProductIds'
  | 'relatedProducts'
  | 'locales'
  | 'currencies'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
>

/** The line of a new product. Refuses `validation_failed`, unless it has either one SKU or a list of them. */
export function newLine(body: NewProduct): ProductSaving {
  const { store, externalId: id, names, code, prices, stock = null, skus, ...content } = body
  const head = { id, store, names }
  if (skus !== undefined) {
    const alone = (['code', 'prices', 'stock'] as const).filter((name) => body[name] !== undefined)
    refuseFields(alone, 'not_allowed', 'It is the only SKU’s: leave it out, or leave out skus.')
    refuseFields(
      skus.flatMap((sku, index) => (sku.id ? [`skus/${index}/id`] : [])),
      'not_allowed',
      'A new SKU gets its id.',
    )
    return { line: { ...head, ...lineContent(content), skus: skus.map(addedSku) }, placeOf: placeIn({}) }
  }
  if (code === undefined || prices === undefined) {
    const missing = (['code', 'prices'] as const).filter((name) => body[name] === undefined)
    refuseFields(missing, 'required', 'A product has a code and prices, or skus.')
  }
  const only = { code: code ?? '', prices: prices ?? [], stock }
  return {
    line: { ...head, ...lineContent(content), skus: [only] },
    placeOf: (field) => placeIn({})(field.replace(/^skus\/0\//, '')),
  }
}

/** The line of a changed product, with the ids of its SKUs. Refusals: `not_found` for a SKU, `validation_failed`. */
export function changedLine(current: ProductRecord, change: ProductChange): ProductSaving {
  const { skus = [], removeSkus = [], ...content } = change
  refuseUnknownSkus(current, change)
  const changes = new Map(skus.map((sku, index) => [sku.id, { sku, index }]))
  const kept = current.line.skus.flatMap((sku, position) => {
    const id = current.skuIds[position] ?? ''
    if (removeSkus.includes(id)) return []
    const changed = changes.get(id)
    return [{ id, index: changed?.index, line: changed ? changedSku(sku, changed.sku, changed.index) : sku }]
  })
  const added = skus.flatMap((sku, index) => (sku.id ? [] : [{ id: undefined, index, line: addedSku(sku, index) }]))
  const all = [...kept, ...added]
  return {
    line: {
      ...lineContent({ ...contentOf(current), ...content }),
      id: current.line.id,
      store: current.line.store,
      names: content.names ?? current.line.names,
      skus: all.map(({ line }) => line),
    },
    skuIds: all.map(({ id }) => id),
    placeOf: placeIn(
      change,
      all.map(({ index }) => index),
    ),
  }
}

/** The content of a product, as a change can contain it. */
export function contentOf({ line }: ProductRecord): Content {
  const { status = 'published', names, brand = null, seo = null, rating = null } = line
  const { subtitles = {}, descriptions = {}, categories = [], images = [], options = [], attributes = [] } = line
  const texts = { names, subtitles, descriptions }
  const slug = present(line.slug, 'every product has its slug')
  const publishedAt = present(line.publishedAt, 'every product has its date')
  return { slug, status, ...texts, brand, categories, images, options, attributes, seo, rating, publishedAt }
}

export function skuContent(sku: SkuLine): SkuContent {
  const { code, barcode = null, options = {}, prices } = sku
  const {
    weightGrams = null,
    requiresShipping = true,
    taxCategory = 'standard',
    minQuantity = 1,
    maxQuantity = 999,
    step = 1,
    image = null,
  } = sku
  return {
    code,
    barcode,
    options,
    prices,
    weightGrams,
    requiresShipping,
    taxCategory,
    minQuantity,
    maxQuantity,
    step,
    image,
  }
}

/** The values before a change. For SKUs, only the changed members. */
export function foundBy(change: ProductChange, current: ProductRecord): Readonly<Record<string, unknown>> {
  const skus = change.skus?.flatMap((wanted) => {
    const found = current.line.skus[current.skuIds.indexOf(wanted.id ?? '')]
    if (found === undefined) return []
    const before = Object.entries({ id: wanted.id, ...skuContent(found) })
    return [Object.fromEntries(before.filter(([name]) => name in wanted))]
  })
  return { ...contentOf(current), ...(skus && { skus }) }
}

/** Drops what is empty or `null`, which a line must not have. */
function lineContent(content: Partial<Content>): Omit<Line, 'id' | 'store' | 'names' | 'skus'> {
  const { names: _names, brand, seo, rating, subtitles = {}, descriptions = {}, ...rest } = content
  return {
    ...rest,
    ...(brand && { brand }),
    ...(seo && { seo }),
    ...(rating && { rating }),
    ...(Object.keys(subtitles).length > 0 && { subtitles }),
    ...(Object.keys(descriptions).length > 0 && { descriptions }),
  }
}

function changedSku(
  current: SkuLine,
  { id: _id, stock, whenOutOfStock, ...change }: SkuChange,
  index: number,
): SkuLine {
  // Absent like in an export, so that an import of the export changes nothing.
  const { requiresShipping, ...shared } = skuContent(current)
  const content = { ...shared, ...(!requiresShipping && { requiresShipping }) }
  const set = Object.entries({ stock, whenOutOfStock }).filter(([, value]) => value !== undefined)
  const fields = set.map(([name]) => `skus/${index}/${name}`)
  refuseFields(fields, 'not_allowed', 'The stock of a known SKU is set by setProductStock.')
  const { stock: declared, whenOutOfStock: whenOut } = current
  return {
    ...skuLine({ ...content, ...change }),
    ...(declared !== undefined && { stock: declared }),
    ...(whenOut && { whenOutOfStock: whenOut }),
  }
}

function addedSku({ id: _id, code, prices, stock = null, whenOutOfStock, ...rest }: SkuChange, index: number): SkuLine {
  if (code === undefined || prices === undefined) {
    const missing = Object.entries({ code, prices }).filter(([, value]) => value === undefined)
    const fields = missing.map(([name]) => `skus/${index}/${name}`)
    return refuseFields(fields, 'required', 'A new SKU has a code and prices.') as never
  }
  return { ...skuLine({ code, prices, ...rest }), stock, ...(whenOutOfStock && { whenOutOfStock }) }
}

function skuLine({
  barcode,
  weightGrams,
  image,
  ...sku
}: Partial<SkuContent> & Pick<SkuContent, 'code' | 'prices'>): SkuLine {
  return {
    ...sku,
    ...(barcode && { barcode }),
    ...(weightGrams !== null && weightGrams !== undefined && { weightGrams }),
    ...(image && { image }),
  }
}

function refuseUnknownSkus({ skuIds }: ProductRecord, { skus = [], removeSkus = [] }: ProductChange): void {
  const message = 'The product offers no such SKU.'
  const faults: FieldFault[] = [
    ...skus.map(({ id }, index) => ({ id, field: `skus/${index}/id` })),
    ...removeSkus.map((id, index) => ({ id, field: `removeSkus/${index}` })),
  ].flatMap(({ id, field }) => (id === undefined || skuIds.includes(id) ? [] : [{ field, code: 'not_found', message }]))
  if (faults.length > 0) refuse('not_found', { faults })
  const named = [...skus.flatMap(({ id }) => id ?? []), ...removeSkus]
  if (new Set(named).size === named.length) return
  refuseFields(['skus'], 'not_unique', 'A SKU is named once, to change it or to remove it.')
}

function refuseFields(fields: readonly string[], code: string, message: string): void {
  if (fields.length > 0) refuse('validation_failed', { faults: fields.map((field) => ({ field, code, message })) })
}

/** Maps a field of the line to its place in the request. A SKU that the request does not name can only be invalid because of the options. */
function placeIn(change: Partial<ProductChange>, indexes?: readonly (number | undefined)[]) {
  return (field: string): string => {
    const [, position, member = ''] = /^skus\/(\d+)(.*)$/.exec(field) ?? []
    if (field === 'id') return 'externalId'
    if (field === 'skus') return change.skus || !change.removeSkus ? 'skus' : 'removeSkus'
    if (position === undefined || indexes === undefined) return field
    const index = indexes[Number(position)]
    return index === undefined ? 'options' : `skus/${index}${member}`
  }
}
