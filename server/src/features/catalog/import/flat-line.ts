import { type Static, Type } from 'typebox'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import { slugOf } from '../text-normalization.ts'
import type { ProductLine } from '../writing/line-schema.ts'
import { type CategoryPath, nameOfSlug, type ProductDraft, productDraft, shortHash } from '../writing/product-draft.ts'

/**
 * The flat line form of product data feeds: one language, one SKU, one price, free-form attributes.
 *
 * @see docs/reference/catalog-lines.md, "The flat form"
 */
export const FlatLine = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 120 }),
  slug: Type.Optional(Type.String({ maxLength: 200 })),
  sku: Type.String({ minLength: 1, maxLength: 250 }),
  title: Type.String({ minLength: 1, maxLength: 500 }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 50_000 }), Type.Null()])),
  brand: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
  categoryPath: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 6 })),
  gtins: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 1000 })),
  syntheticPriceMinor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  releasedAt: Type.Optional(Type.String({ format: 'date-time' })),
  syntheticStock: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type FlatLine = Static<typeof FlatLine>

/** Whether a value has the flat form: `title` instead of `names`. */
export function isFlat(value: object): boolean {
  return 'title' in value && !('names' in value)
}

/** Turns a validated flat line into a draft, with texts in the store's default locale. */
export function flatProductDraft(line: FlatLine, locale: string): ProductDraft {
  const name = line.title.trim()
  if (name === '') throw new InvalidLine('The title is blank.')
  const description = line.description?.trim()
  const slug = slugOf(line.slug ?? name, 200) ?? slugOf(line.id)
  const own: ProductLine = {
    id: line.id,
    ...(slug ? { slug } : {}),
    names: { [locale]: name },
    ...(description ? { descriptions: { [locale]: { format: 'plain', text: description } } } : {}),
    ...(line.brand ? { brand: line.brand } : {}),
    attributes: attributesOf(line, locale),
    ...(line.releasedAt ? { publishedAt: line.releasedAt } : {}),
    skus: [
      {
        code: line.sku,
        prices: [{ currency: line.currency, amount: line.syntheticPriceMinor }],
        stock: line.syntheticStock ?? null,
        ...weightOf(line),
      },
    ],
  }
  return { ...productDraft(own), categories: categoriesOf(line) }
}

function categoriesOf(line: FlatLine): readonly CategoryPath[] {
  const names = line.categoryPath ?? []
  if (names.length === 0) return []
  return [{ names, slugs: names.map((name) => slugOf(name) ?? shortHash(name)) }]
}

type Attribute = NonNullable<ProductLine['attributes']>[number]

function attributesOf(line: FlatLine, locale: string): Attribute[] {
  const measured = Object.entries(line.attributes ?? {}).flatMap(([key, raw]): Attribute[] => {
    const value = attributeValue(raw)
    const shortKey = key.slice(0, ATTRIBUTE_KEY_MAX).toWellFormed()
    return value === null || key === '' ? [] : [{ key: shortKey, labels: { [locale]: nameOfSlug(shortKey) }, value }]
  })
  if (!line.gtins?.length) return measured
  return [{ key: 'gtin', labels: { [locale]: 'GTIN' }, value: line.gtins.join(', ') }, ...measured]
}

/** The limits of a response. */
const ATTRIBUTE_KEY_MAX = 120
const ATTRIBUTE_VALUE_MAX = 10_000

/** Joins lists, serializes objects as JSON, and numbers beyond the safe integers as digits. */
function attributeValue(raw: unknown): string | number | boolean | null {
  if (raw === null || raw === undefined || raw === '') return null
  if (typeof raw === 'boolean') return raw
  if (typeof raw === 'number' && Math.abs(raw) <= Number.MAX_SAFE_INTEGER) return raw
  const text = Array.isArray(raw) ? raw.map(textOf).join(', ') : textOf(raw)
  return text.slice(0, ATTRIBUTE_VALUE_MAX).toWellFormed()
}

function textOf(raw: unknown): string {
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw)
}

/** The flat form has `weight` in grams. */
function weightOf(line: FlatLine): { weightGrams?: number } {
  const grams = line.attributes?.weight
  return typeof grams === 'number' && grams >= 0 && grams <= 100_000_000 ? { weightGrams: Math.round(grams) } : {}
}
