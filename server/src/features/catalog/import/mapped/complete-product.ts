import { isDeepStrictEqual } from 'node:util'
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

/** Completes a product of a table with what the table does not have: the stored values, or those of a new product. */
export function completeProduct(given: PartialProduct, known: ProductLine | undefined, locale: string): Completed {
  const faults: TableFault[] = []
  const missing = (line: number, message: string) => void faults.push({ line, message })
  if (given.id === '') missing(given.line, 'The row has neither an id nor a SKU nor a name.')
  const { store: _, ...rest } = known ?? { id: given.id, names: {}, skus: [] }
  const names = { ...rest.names, ...given.names }
  if (Object.keys(names).length === 0) missing(given.line, 'A new product needs a name.')
  const options = optionsOf(given, known)
  const skus = skusOf(given, known, missing)
  const seo = seoOf(given, known)
  const line: ProductLine = {
    ...rest,
    ...(given.slug !== undefined && { slug: given.slug }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.brand !== undefined && { brand: given.brand }),
    ...(given.categories && { categories: given.categories.map(({ slugs }) => [...slugs]) }),
    ...(given.descriptions && { descriptions: descriptionsOf(given.descriptions, rest.descriptions) }),
    ...(given.attributes && { attributes: attributesOf(given.attributes, rest.attributes ?? []) }),
    ...(seo && { seo }),
    ...(given.images && { images: imagesOf(given.images, rest.images ?? [], locale) }),
    ...(options && { options }),
    names,
    skus,
  }
  return { line, faults }
}

/** HTML becomes Markdown. Other texts keep the format of the stored description. */
function descriptionsOf(given: Readonly<Record<string, string>>, known: Rich = {}): Rich {
  const changed = Object.entries(given).flatMap(([locale, text]): [string, Rich[string]][] => {
    const before = known[locale]
    if (before?.text === text) return [[locale, before]]
    if (!looksLikeHtml(text)) return [[locale, { format: before?.format ?? 'plain', text }]]
    const markdown = markdownOfHtml(text)
    return markdown === '' ? [] : [[locale, { format: 'markdown', text: markdown }]]
  })
  return { ...known, ...Object.fromEntries(changed) }
}

type Attributes = NonNullable<ProductLine['attributes']>

function attributesOf(given: Attributes, known: Attributes): Attributes {
  const byKey = new Map(given.map((attribute) => [attribute.key, attribute]))
  const keys = new Set(known.map(({ key }) => key))
  const kept = known.map((attribute) => {
    const value = byKey.get(attribute.key)?.value
    return value === undefined || String(attribute.value) === value ? attribute : { ...attribute, value }
  })
  return [...kept, ...given.filter(({ key }) => !keys.has(key))]
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

/** A table has no sizes of pictures: a new one is 1 by 1. */
function imagesOf(given: NonNullable<PartialProduct['images']>, known: readonly Image[], locale: string): Image[] {
  return given.map(({ url, alt }) => {
    const before = known.find((image) => image.url === url) ?? { url, width: 1, height: 1 }
    return alt === undefined ? before : { ...before, alt: { ...before.alt, [locale]: alt } }
  })
}

/** Stored labels are kept. */
function optionsOf(
  { options, hasOptionColumns }: PartialProduct,
  known?: ProductLine,
): ProductLine['options'] | undefined {
  if (!hasOptionColumns || !options) return known?.options
  return options.map((option) => {
    const before = known?.options?.find(({ name }) => name === option.name)
    if (!before) return option
    const given = new Set(option.values.map(({ value }) => value))
    const kept = before.values.filter(({ value }) => given.has(value))
    const added = option.values.filter(({ value }) => !before.values.some((each) => each.value === value))
    return { ...before, values: [...kept, ...added] }
  })
}

/** The variants of the table. If it has no option columns, stored variants that are not in it are kept. */
function skusOf(
  given: PartialProduct,
  known: ProductLine | undefined,
  missing: (line: number, message: string) => void,
): Sku[] {
  const left = [...(known?.skus ?? [])]
  // The code of an only variant may change. Of several, the last one left is not the one of an unknown code.
  const isOnly = left.length === 1
  const takeKnown = (sku: PartialSku): Sku | undefined => {
    const at = given.hasOptionColumns
      ? left.findIndex(({ options }) => isDeepStrictEqual(options ?? {}, sku.options ?? {}))
      : left.findIndex(({ code }) => isOnly || sku.code === undefined || code === sku.code)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  const skus = given.skus.map((sku) => {
    const before = takeKnown(sku)
    const { line, compareAtIn, prices, ...rest } = sku
    const code = sku.code ?? before?.code ?? fallbackCode(given, sku)
    const all = pricesOf(prices ?? [], before?.prices ?? [], compareAtIn)
    if (all.length === 0) missing(line, 'A new variant needs a price.')
    return { ...before, ...rest, ...(rest.image && { image: imageOf(rest.image, before?.image) }), code, prices: all }
  })
  return given.hasOptionColumns ? skus : [...skus, ...left]
}

/** The code of a variant without one: the id of its product and its option values. */
function fallbackCode({ id }: PartialProduct, { options }: PartialSku): string {
  return [id, ...Object.values(options ?? {})].join('-').slice(0, 250) || '-'
}

function imageOf(image: Image, before: Image | undefined): Image {
  return before?.url === image.url ? before : image
}

function pricesOf(given: Sku['prices'], known: Sku['prices'], compareAtIn: readonly string[]): Sku['prices'] {
  const changed = known.map((price) => {
    const now = given.find(({ currency }) => currency === price.currency)
    if (now === undefined) return price
    const compareAt = compareAtIn.includes(price.currency) ? now.compareAt : price.compareAt
    return { currency: now.currency, amount: now.amount, ...(compareAt !== undefined && { compareAt }) }
  })
  return [...changed, ...given.filter(({ currency }) => !known.some((price) => price.currency === currency))]
}
