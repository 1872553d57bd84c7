import { createHash } from 'node:crypto'
import { isCurrency } from '../../../kernel/currencies.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import type { LocalizedText, StoredAttribute, StoredImage, StoredOption } from '../stored-json.ts'
import { slugOf } from '../text-normalization.ts'
import type { CategoryLine, ProductLine, StoreLine } from './line-schema.ts'

/** The category path of a product: slugs from the root down, and names for categories to be created. */
export interface CategoryPath {
  readonly slugs: readonly string[]
  readonly names: readonly string[]
}

interface SkuDraft {
  /** The id of an existing SKU whose options may change. Absent: the SKU is found by its options. */
  readonly id?: string
  readonly code: string
  /** Absent if it has none, so that a product hashes as it did before there were barcodes. */
  readonly barcode?: string
  readonly optionKey: string
  readonly optionValues: Readonly<Record<string, string>>
  readonly prices: readonly { readonly currency: string; readonly amount: number; readonly compareAt?: number }[]
  readonly stock: number | null
  readonly whenOut: 'deny' | 'backorder' | 'preorder'
  readonly weightGrams: number | null
  /** `null`: unchanged, or `true` for a new SKU. */
  readonly requiresShipping: boolean | null
  readonly taxCategory: string
  readonly minQuantity: number
  readonly maxQuantity: number
  readonly step: number
  readonly image: StoredImage | null
}

interface TextDraft {
  readonly name: string
  readonly subtitle: string | null
  readonly descriptionFormat: 'plain' | 'markdown' | null
  readonly description: string | null
}

export type ProductStatus = 'published' | 'draft' | 'archived'

/** A product to be written, whichever form its line had. */
export interface ProductDraft {
  readonly externalId: string
  readonly slug: string
  /** A slug derived from a name is kept when the name changes, so that links keep working. */
  readonly hasExplicitSlug: boolean
  /** `null`: unchanged, or `published` for a new product. */
  readonly status: ProductStatus | null
  readonly brand: string | null
  /** `null`: the time of the first write. */
  readonly publishedAt: string | null
  readonly rating: { readonly average: number; readonly count: number } | null
  readonly categories: readonly CategoryPath[]
  readonly options: readonly StoredOption[]
  readonly attributes: readonly StoredAttribute[]
  readonly images: readonly StoredImage[]
  readonly seo: { readonly titles?: LocalizedText; readonly descriptions?: LocalizedText } | null
  readonly texts: Readonly<Record<string, TextDraft>>
  readonly skus: readonly SkuDraft[]
}

/** The content of a line. `store` is a slug; `null` is the store of the import. */
export type Draft =
  | { readonly kind: 'store'; readonly store: StoreLine }
  | { readonly kind: 'category'; readonly category: CategoryLine; readonly store: string | null }
  | { readonly kind: 'product'; readonly product: ProductDraft; readonly store: string | null }

/** Turns a validated line into a draft. Throws `InvalidLine` if it contradicts itself. */
export function productDraft(line: ProductLine): ProductDraft {
  const options = line.options ?? []
  const firstName = Object.values(line.names)[0]!
  return {
    externalId: line.id,
    slug: line.slug ?? slugOf(firstName) ?? slugOf(line.id) ?? shortHash(line.id),
    hasExplicitSlug: line.slug !== undefined,
    status: line.status ?? null,
    brand: line.brand?.trim() || null,
    publishedAt: line.publishedAt === undefined ? null : instant(line.publishedAt),
    rating: line.rating === undefined ? null : { ...line.rating, average: hundredths(line.rating.average) },
    categories: (line.categories ?? []).map((slugs) => ({ slugs, names: slugs.map(nameOfSlug) })),
    options,
    attributes: line.attributes ?? [],
    images: line.images ?? [],
    seo: line.seo ?? null,
    texts: textsOf(line),
    skus: skusOf(line, options),
  }
}

function textsOf(line: ProductLine): Record<string, TextDraft> {
  const entries = Object.entries(line.names).map(([locale, name]) => {
    const description = line.descriptions?.[locale]
    const text: TextDraft = {
      name,
      subtitle: line.subtitles?.[locale] ?? null,
      descriptionFormat: description?.format ?? null,
      description: description?.text ?? null,
    }
    return [locale, text] as const
  })
  const nameless = [...Object.keys(line.subtitles ?? {}), ...Object.keys(line.descriptions ?? {})].find(
    (locale) => line.names[locale] === undefined,
  )
  if (nameless !== undefined)
    throw new InvalidLine(`The product has a text in ${nameless} but no name in ${nameless}.`, 'names')
  return Object.fromEntries(entries)
}

function skusOf(line: ProductLine, options: readonly StoredOption[]): readonly SkuDraft[] {
  const skus = line.skus.map((sku, index) => skuDraft(sku, options, `skus/${index}`))
  const seen = new Set<string>()
  for (const [index, { optionKey }] of skus.entries()) {
    if (seen.has(optionKey))
      throw new InvalidLine(`Two SKUs have the same options (${optionKey || 'none'}).`, `skus/${index}/options`)
    seen.add(optionKey)
  }
  return skus
}

function skuDraft(sku: ProductLine['skus'][number], options: readonly StoredOption[], place: string): SkuDraft {
  const optionValues = sku.options ?? {}
  for (const option of options) {
    const value = optionValues[option.name]
    const field = `${place}/options`
    if (value === undefined) throw new InvalidLine(`SKU ${sku.code} has no value for the option ${option.name}.`, field)
    if (!option.values.some((known) => known.value === value)) {
      throw new InvalidLine(`SKU ${sku.code}: ${value} is not a value of the option ${option.name}.`, field)
    }
  }
  const unknown = Object.keys(optionValues).find((name) => !options.some((option) => option.name === name))
  if (unknown !== undefined)
    throw new InvalidLine(
      `SKU ${sku.code} has a value for ${unknown}, which is not an option of the product.`,
      `${place}/options/${unknown}`,
    )
  const minQuantity = sku.minQuantity ?? 1
  const maxQuantity = sku.maxQuantity ?? 999
  if (minQuantity > maxQuantity)
    throw new InvalidLine(`SKU ${sku.code}: minQuantity is above maxQuantity.`, `${place}/minQuantity`)
  return {
    code: sku.code,
    ...(sku.barcode !== undefined && { barcode: sku.barcode }),
    optionKey: options.map((option) => `${option.name}=${encodeURIComponent(optionValues[option.name]!)}`).join('/'),
    optionValues,
    prices: pricesOf(sku, place),
    stock: sku.stock ?? null,
    whenOut: sku.whenOutOfStock ?? 'deny',
    weightGrams: sku.weightGrams ?? null,
    requiresShipping: sku.requiresShipping ?? null,
    taxCategory: sku.taxCategory ?? 'standard',
    minQuantity,
    maxQuantity,
    step: sku.step ?? 1,
    image: sku.image ?? null,
  }
}

/** Drops a former price that is not above the current one. */
function pricesOf(sku: ProductLine['skus'][number], place: string): SkuDraft['prices'] {
  const seen = new Set<string>()
  return sku.prices.map(({ currency, amount, compareAt }, index) => {
    const field = `${place}/prices/${index}/currency`
    if (!isCurrency(currency))
      throw new InvalidLine(`SKU ${sku.code}: ${currency} is not a supported ISO 4217 currency.`, field)
    if (seen.has(currency)) throw new InvalidLine(`SKU ${sku.code} has two prices in ${currency}.`, field)
    seen.add(currency)
    return compareAt !== undefined && compareAt > amount ? { currency, amount, compareAt } : { currency, amount }
  })
}

/** Normalizes a timestamp to UTC. */
function instant(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidLine(`${text} is not an RFC 3339 timestamp.`)
  return time.toISOString()
}

/** `hard-drives` → `Hard drives`, the name of a category created from its path. */
export function nameOfSlug(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Rounded to the stored precision. */
function hundredths(average: number): number {
  return Math.round(average * 100) / 100
}
