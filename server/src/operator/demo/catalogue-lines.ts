import {
  type Both,
  type CategoryNode,
  type Choice,
  categories,
  type DemoProduct,
  type DemoStore,
  drawn,
  type Family,
  type Picture,
  type Price,
  pictureIn,
  stores,
  type Tone,
  tones,
} from '../../../demo/index.ts'
import type { CategoryLine, ProductLine, StoreLine } from '../../features/catalog/index.ts'

type Image = NonNullable<StoreLine['logo']>
type Sku = ProductLine['skus'][number]
type Option = NonNullable<ProductLine['options']>[number]

/** The demo's stores and categories as catalogue lines, in the order in which they must be read. */
export function* structureLines(pagesUrl: string): Generator<StoreLine | CategoryLine> {
  for (const store of stores) yield storeLine(store, pagesUrl)
  yield* categoryLines(categories, [])
}

/** The demo's products as catalogue lines. */
export function* productLines(pagesUrl: string): Generator<ProductLine> {
  const paths = leafPaths(categories, [])
  for (const store of stores) {
    for (const [index, product] of store.products.entries()) yield productLine(store, product, index, paths, pagesUrl)
  }
}

const inBoth = ([en, de]: Both) => ({ en, de })

function storeLine(store: DemoStore, pagesUrl: string): StoreLine {
  return {
    type: 'store',
    slug: store.slug,
    names: inBoth(store.name),
    descriptions: inBoth(store.description),
    accessMode: 'open',
    currencies: [...store.currencies],
    locales: [...store.locales],
    countries: [...store.countries],
    pricesIncludeTax: store.pricesIncludeTax,
    logo: image(store.logo, store, store.name, pagesUrl),
    contact: { email: store.contactEmail, url: `https://${store.contactEmail.split('@')[1]}` },
    policies: store.policies.map(({ type, title, text }) => ({ type, titles: inBoth(title), texts: inBoth(text) })),
  }
}

function* categoryLines(nodes: readonly CategoryNode[], above: readonly string[]): Generator<CategoryLine> {
  for (const [position, node] of nodes.entries()) {
    const path = [...above, node.slug]
    yield {
      type: 'category',
      path,
      names: inBoth(node.name),
      position,
      ...(node.description && { descriptions: inBoth(node.description) }),
    }
    yield* categoryLines(node.children ?? [], path)
  }
}

function leafPaths(nodes: readonly CategoryNode[], above: readonly string[]): ReadonlyMap<string, string[]> {
  return new Map(
    nodes.flatMap((node) => {
      const path = [...above, node.slug]
      return node.children ? [...leafPaths(node.children, path)] : [[node.slug, path] as const]
    }),
  )
}

function productLine(
  store: DemoStore,
  product: DemoProduct,
  index: number,
  paths: ReadonlyMap<string, string[]>,
  pagesUrl: string,
): ProductLine {
  const family = store.families[product.family]!
  const colours = product.colours ?? [null]
  const images = colours.map((tone) => image(pictureIn(product, tone), store, altText(product, tone), pagesUrl))
  const options = optionsOf(product, family)
  const attributes = attributesOf(product, family)
  return {
    type: 'product',
    id: product.slug,
    slug: product.slug,
    store: store.slug,
    names: inBoth(product.name),
    ...(family.material && { subtitles: subtitleOf(family.material, product.measure) }),
    descriptions: {
      en: { format: 'plain', text: `${product.text[0]}\n\n${family.details[0]}` },
      de: { format: 'plain', text: `${product.text[1]}\n\n${family.details[1]}` },
    },
    brand: store.name[0],
    categories: [paths.get(family.category)!],
    ...(options.length > 0 && { options }),
    skus: skusOf(product, family, images),
    images,
    ...(attributes.length > 0 && { attributes }),
    ...(product.rating && { rating: { average: product.rating[0], count: product.rating[1] } }),
    seo: {
      titles: { en: `${product.name[0]} | ${store.name[0]}`, de: `${product.name[1]} | ${store.name[1]}` },
      descriptions: inBoth(product.text),
    },
    publishedAt: publishedAt(index, store.slug),
  }
}

function image(picture: Picture, store: DemoStore, alt: Both, pagesUrl: string): Image {
  return { url: `${pagesUrl}${drawn(picture, store.backdrop).path}`, alt: inBoth(alt), width: 800, height: 800 }
}

function altText(product: DemoProduct, tone: Tone | null): Both {
  const [en, de] = product.name
  if (tone === null) return [`${en}, drawn`, `${de}, gezeichnet`]
  return [`${en} in ${tones[tone].en}, drawn`, `${de} in ${tones[tone].de}, gezeichnet`]
}

function subtitleOf([en, de]: Both, measure?: string) {
  return measure ? { en: `${en} · ${measure}`, de: `${de} · ${germanNumber(measure)}` } : { en, de }
}

/** German writes 2,8 l. */
function germanNumber(measure: string): string {
  return measure.replaceAll(/(\d)\.(\d)/g, '$1,$2')
}

function optionsOf({ colours }: DemoProduct, { colour, choice }: Family): Option[] {
  const options: Option[] = []
  if (colours && colour) {
    const values = colours.map((tone) => ({ value: tone, labels: { en: tones[tone].en, de: tones[tone].de } }))
    options.push({ name: colour.name, labels: inBoth(colour.label), values })
  }
  if (choice) {
    const values = choice.values.map(({ value, label }) => ({ value, ...(label && { labels: inBoth(label) }) }))
    options.push({ name: choice.name, labels: inBoth(choice.label), values })
  }
  return options
}

const ONLY: Choice['values'] = [{ value: '', code: '' }]

/** A SKU for each colour in each size, weight or ruling. */
function skusOf(product: DemoProduct, family: Family, images: readonly Image[]): Sku[] {
  const { colour, choice } = family
  const combinations = (product.colours ?? [null]).flatMap((tone, shown) =>
    (choice?.values ?? ONLY).map((value) => ({ tone, shown, value })),
  )
  return combinations.map(({ tone, shown, value }, index) => {
    const code = [product.code, tone?.slice(0, 3).toUpperCase(), value.code].filter(Boolean).join('-')
    const stock = stockOf(product, code, index)
    return {
      code,
      options: {
        ...(tone && colour && { [colour.name]: tone }),
        ...(choice && { [choice.name]: value.value }),
      },
      prices: pricesOf(product, value.priceFactor ?? 1),
      ...(stock !== null && { stock }),
      ...(product.whenOutOfStock && { whenOutOfStock: product.whenOutOfStock }),
      weightGrams: Math.round((product.weightGrams ?? family.weightGrams) * (value.weightFactor ?? 1)),
      taxCategory: family.taxCategory ?? 'standard',
      image: images[shown]!,
    }
  })
}

function pricesOf({ price, was }: DemoProduct, factor: number): Sku['prices'] {
  return (['EUR', 'USD'] as const).map((currency, index) => ({
    currency,
    amount: scaled(price, index, factor),
    ...(was && { compareAt: scaled(was, index, factor) }),
  }))
}

/** Times a factor, to the next price with the same cents: 13.90 times 3.6 is 49.90. */
function scaled(price: Price, index: number, factor: number): number {
  const amount = price[index]!
  const cents = amount % 100
  return Math.round((amount * factor - cents) / 100) * 100 + cents
}

/** The declared stock, or one that its code decides, so that a newcomer's shelves look like everybody's. */
function stockOf({ stock }: DemoProduct, code: string, index: number): number | null {
  if (stock === 'endless') return null
  if (typeof stock === 'number') return stock
  if (stock) return stock[index]!
  return 8 + ([...code].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % 60)
}

/** What a measure says is told by its unit. */
const MEASURES: readonly { readonly pattern: RegExp; readonly key: string; readonly label: Both }[] = [
  { pattern: /°C$/, key: 'comfort', label: ['Comfort temperature', 'Komforttemperatur'] },
  { pattern: / lm$/, key: 'light', label: ['Light output', 'Lichtstrom'] },
  { pattern: / P$/, key: 'sleeps', label: ['Sleeps', 'Schlafplätze'] },
  { pattern: / g$/, key: 'content', label: ['Content', 'Inhalt'] },
  { pattern: / m?l( \+ [\d.]+ l)?$/, key: 'capacity', label: ['Capacity', 'Fassungsvermögen'] },
  { pattern: /A\d$/, key: 'format', label: ['Format', 'Format'] },
  { pattern: /m$/, key: 'dimensions', label: ['Dimensions', 'Maße'] },
]

type Attribute = NonNullable<ProductLine['attributes']>[number]

function attributesOf({ measure }: DemoProduct, { material, origin }: Family): Attribute[] {
  const attributes: Attribute[] = []
  if (material)
    attributes.push({ key: 'material', labels: { en: 'Material', de: 'Material' }, value: inBoth(material) })
  if (origin) attributes.push({ key: 'origin', labels: { en: 'Made', de: 'Herkunft' }, value: inBoth(origin) })
  const kind = measure && MEASURES.find(({ pattern }) => pattern.test(measure))
  if (kind) {
    const value = { en: measure.replace(/ P$/, ''), de: germanNumber(measure.replace(/ P$/, '')) }
    attributes.push({ key: kind.key, labels: inBoth(kind.label), value })
  }
  return attributes
}

const FIRST_DAY = Date.UTC(2024, 11, 1, 9)
const DAY_MS = 24 * 60 * 60 * 1000

/** Spread over 400 days in no order that a shopper could guess, so that the newest are not all of one store. */
function publishedAt(index: number, slug: string): string {
  const days = (index * 151 + slug.length * 37) % 400
  return new Date(FIRST_DAY + days * DAY_MS + index * 60_000).toISOString()
}
