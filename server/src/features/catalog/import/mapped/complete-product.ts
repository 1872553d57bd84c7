import type { ProductLine } from '../../writing/line-schema.ts'
import { looksLikeHtml, markdownOfHtml } from './html-text.ts'
import type { PartialProduct, PartialSku, TableFault } from './partial-product.ts'

type Sku = ProductLine['skus'][number]
type Image = NonNullable<ProductLine['images']>[number]
type Rich = NonNullable<ProductLine['descriptions']>

interface Completed {
  readonly line: ProductLine
  readonly faults: readonly TableFault[]
}

/** A product of a table with what the table does not tell: as it is stored, or as a new product is. */
export function completeProduct(told: PartialProduct, known: ProductLine | undefined, locale: string): Completed {
  const faults: TableFault[] = []
  const missing = (line: number, message: string) => void faults.push({ line, message })
  if (told.id === '') missing(told.line, 'The row has neither an id nor a SKU nor a name.')
  const { store: _, ...rest } = known ?? { id: told.id, names: {}, skus: [] }
  const names = { ...rest.names, ...told.names }
  if (Object.keys(names).length === 0) missing(told.line, 'A new product needs a name.')
  const options = optionsOf(told, known)
  const skus = skusOf(told, known, missing)
  const seo = seoOf(told, known)
  const line: ProductLine = {
    ...rest,
    ...(told.slug !== undefined && { slug: told.slug }),
    ...(told.status !== undefined && { status: told.status }),
    ...(told.brand !== undefined && { brand: told.brand }),
    ...(told.categories && { categories: told.categories.map(({ slugs }) => [...slugs]) }),
    ...(told.descriptions && { descriptions: descriptionsOf(told.descriptions, rest.descriptions) }),
    ...(told.attributes && { attributes: attributesOf(told.attributes, rest.attributes ?? []) }),
    ...(seo && { seo }),
    ...(told.images && { images: imagesOf(told.images, rest.images ?? [], locale) }),
    ...(options && { options }),
    names,
    skus,
  }
  return { line, faults }
}

/** HTML becomes Markdown. A text that is stored keeps its format. */
function descriptionsOf(told: Readonly<Record<string, string>>, known: Rich = {}): Rich {
  const changed = Object.entries(told).flatMap(([locale, text]): [string, Rich[string]][] => {
    const before = known[locale]
    if (before?.text === text) return [[locale, before]]
    if (!looksLikeHtml(text)) return [[locale, { format: before?.format ?? 'plain', text }]]
    const markdown = markdownOfHtml(text)
    return markdown === '' ? [] : [[locale, { format: 'markdown', text: markdown }]]
  })
  return { ...known, ...Object.fromEntries(changed) }
}

type Attributes = NonNullable<ProductLine['attributes']>

function attributesOf(told: Attributes, known: Attributes): Attributes {
  const byKey = new Map(told.map((attribute) => [attribute.key, attribute]))
  const keys = new Set(known.map(({ key }) => key))
  const kept = known.map((attribute) => {
    const value = byKey.get(attribute.key)?.value
    return value === undefined || String(attribute.value) === value ? attribute : { ...attribute, value }
  })
  return [...kept, ...told.filter(({ key }) => !keys.has(key))]
}

function seoOf({ seoTitles, seoDescriptions }: PartialProduct, known?: ProductLine): ProductLine['seo'] | null {
  if (!seoTitles && !seoDescriptions) return null
  const titles = { ...known?.seo?.titles, ...seoTitles }
  const descriptions = { ...known?.seo?.descriptions, ...seoDescriptions }
  return {
    ...(Object.keys(titles).length > 0 && { titles }),
    ...(Object.keys(descriptions).length > 0 && { descriptions }),
  }
}

/** A table tells no size of a picture. */
function imagesOf(told: NonNullable<PartialProduct['images']>, known: readonly Image[], locale: string): Image[] {
  return told.map(({ url, alt }) => {
    const before = known.find((image) => image.url === url) ?? { url, width: 1, height: 1 }
    return alt === undefined ? before : { ...before, alt: { ...before.alt, [locale]: alt } }
  })
}

/** The labels that are stored stay. */
function optionsOf(
  { options, hasOptionColumns }: PartialProduct,
  known?: ProductLine,
): ProductLine['options'] | undefined {
  if (!hasOptionColumns || !options) return known?.options
  return options.map((option) => {
    const before = known?.options?.find(({ name }) => name === option.name)
    if (!before) return option
    const told = new Set(option.values.map(({ value }) => value))
    const kept = before.values.filter(({ value }) => told.has(value))
    const added = option.values.filter(({ value }) => !before.values.some((each) => each.value === value))
    return { ...before, values: [...kept, ...added] }
  })
}

/** Variants of the table and, where it tells no options, those that it does not name. */
function skusOf(
  told: PartialProduct,
  known: ProductLine | undefined,
  missing: (line: number, message: string) => void,
): Sku[] {
  const left = [...(known?.skus ?? [])]
  const takeKnown = (sku: PartialSku): Sku | undefined => {
    const at = told.hasOptionColumns
      ? left.findIndex(({ options }) => sameOptions(options, sku.options))
      : left.findIndex(({ code }) => left.length === 1 || sku.code === undefined || code === sku.code)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  const skus = told.skus.map((sku) => {
    const before = takeKnown(sku)
    const { line, hasCompareAt, prices, ...rest } = sku
    const code = sku.code ?? before?.code ?? fallbackCode(told, sku)
    const all = pricesOf(prices ?? [], before?.prices ?? [], hasCompareAt)
    if (all.length === 0) missing(line, 'A new variant needs a price.')
    return { ...before, ...rest, ...(rest.image && { image: imageOf(rest.image, before?.image) }), code, prices: all }
  })
  return told.hasOptionColumns ? skus : [...skus, ...left]
}

/** A variant without a number has that of its product and its options. */
function fallbackCode({ id }: PartialProduct, { options }: PartialSku): string {
  return [id, ...Object.values(options ?? {})].join('-').slice(0, 250) || '-'
}

function imageOf(image: Image, before: Image | undefined): Image {
  return before?.url === image.url ? before : image
}

function sameOptions(a: Sku['options'] = {}, b: Sku['options'] = {}): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

function pricesOf(told: Sku['prices'], known: Sku['prices'], hasCompareAt: boolean): Sku['prices'] {
  const changed = known.map((price) => {
    const now = told.find(({ currency }) => currency === price.currency)
    if (now === undefined) return price
    const compareAt = hasCompareAt ? now.compareAt : price.compareAt
    return { currency: now.currency, amount: now.amount, ...(compareAt !== undefined && { compareAt }) }
  })
  return [...changed, ...told.filter(({ currency }) => !known.some((price) => price.currency === currency))]
}
