import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A product as odd as those of real product-data exchanges. */
export interface OddProduct {
  readonly id: string
  readonly code: string
  readonly title: string
  readonly description: string
  readonly brand: string | null
  readonly categoryPath: readonly string[]
  /** US dollars first. */
  readonly prices: readonly { readonly currency: string; readonly amount: number }[]
  readonly stock: number
  readonly releasedAt: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export const ODD_PRODUCTS = 19_406

/** A large catalog of odd products, the same for the same seed. */
export function oddProducts(count = ODD_PRODUCTS, seed = 1): OddProduct[] {
  const draw = drawFrom(seed)
  const products: OddProduct[] = []
  for (let index = 0; index < count; index++) products.push(oddProduct(index, draw, products))
  return products
}

/** The catalog line of a product: flat, or in the project's own format if it has several prices. */
export function oddLine({ code, title, description, prices, stock, ...product }: OddProduct): object {
  const { id, brand, categoryPath, releasedAt, attributes } = product
  if (prices.length === 1) {
    const { currency, amount } = prices[0]!
    const flat = { sku: code, title, description, currency, syntheticPriceMinor: amount, syntheticStock: stock }
    return { ...product, ...flat }
  }
  return {
    id,
    names: { en: title },
    ...(description && { descriptions: { en: { format: 'plain', text: description } } }),
    ...(brand && { brand }),
    ...(categoryPath.length > 0 && { categories: [categoryPath.map((name) => name.toLowerCase())] }),
    skus: [{ code, prices, stock }],
    publishedAt: releasedAt,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: String(value) })),
  }
}

/** Writes a file of catalog lines into a folder. Returns its path. */
export async function writeOddCatalog(folder: string, products = oddProducts()): Promise<string> {
  const path = join(folder, 'odd-products.jsonl.gz')
  await writeFile(path, gzipSync(products.map((product) => `${JSON.stringify(oddLine(product))}\n`).join('')))
  return path
}

interface Draw {
  /** A whole number from 0 up to `below`, excluding it. */
  number(below: number): number
  /** True once in `times`. */
  once(times: number): boolean
  from<Item>(items: readonly Item[]): Item
}

/** @see https://en.wikipedia.org/wiki/Xorshift */
function drawFrom(seed: number): Draw {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const number = (below: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
  return { number, once: (times) => number(times) === 0, from: (items) => items[number(items.length)]! }
}

const MAKERS = ['Norvik', 'Hall & Daughters', 'ÅNGSTRÖM', 'K-2', 'Дом', 'o’Brien "Tools"', 'm²', '木工']
const THINGS = ['Toner', 'Notebook', 'Patch cable', 'Rack', 'Lens', 'Schraubenschlüssel', 'Câble', 'Кабель', '電源']
const QUALITIES = [
  'black',
  'Ø 12 mm',
  '19" 2U',
  '±5 °C',
  '50–60 Hz',
  '“pro”',
  '& more',
  '<b>new</b>',
  '100 %',
  '3µm',
  '🔌',
]
const TEXTS = [
  'Holds what it is made for.',
  'For 19" racks; depth <600 mm & height >2U.',
  '<p>Comes with <strong>two</strong> keys.</p><br/>',
  "It's the maker's own \\ backslash, 'quotes' and \"more quotes\".",
  'Line one\nline two\twith a tab',
  'نص من اليمين إلى اليسار',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.',
  'e\u0301 is not é to a computer; ﬁ is not fi; １２３ is not 123.',
]
/** The first four are single words, so that both forms of a line name the same category. */
const ROOTS = ['Printing', 'Computers', 'Networking', 'Office', 'Küche & Bad', '電源', 'Audio / Video', 'Tools']
const BRANCHES = ['Cables', 'Paper', 'Storage', 'Spares', 'More']

function oddProduct(index: number, draw: Draw, earlier: readonly OddProduct[]): OddProduct {
  const other = earlier[draw.number(index || 1)]
  const several = draw.once(12)
  return {
    id: `${100_000 + index * 7}`,
    code: other && draw.once(20) ? other.code : `${draw.from(['A', 'MV3i/', 'x-', '#'])}${index.toString(36)}`,
    title: other && draw.once(25) ? other.title : titleOf(draw),
    description: draw.once(27) ? '' : descriptionOf(draw),
    brand: draw.once(50) ? null : draw.from(MAKERS),
    categoryPath: pathOf(draw, several),
    prices: [
      { currency: 'USD', amount: draw.once(200) ? 0 : 300 + draw.number(350_000) },
      ...(several ? [{ currency: 'EUR', amount: draw.number(350_000) }] : []),
      ...(several && draw.once(3) ? [{ currency: 'JPY', amount: draw.number(50_000) }] : []),
    ],
    stock: draw.once(9) ? 0 : draw.number(120),
    releasedAt: new Date(Date.UTC(1994 + draw.number(27), draw.number(12), 1 + draw.number(28))).toISOString(),
    attributes: attributesOf(draw),
  }
}

function titleOf(draw: Draw): string {
  const title = `${draw.from(MAKERS)} ${draw.from(THINGS)} ${draw.number(9000)}`
  if (draw.once(100)) return `${title} ${'3iMC/30i/'.repeat(11 + draw.number(12))}`
  const qualities = Array.from({ length: draw.once(30) ? 30 : draw.number(6) }, () => draw.from(QUALITIES))
  return [title, ...qualities].join(' ')
}

function descriptionOf(draw: Draw): string {
  const sentences = draw.once(200) ? 400 : 1 + draw.number(4)
  return Array.from({ length: sentences }, () => draw.from(TEXTS)).join(' ')
}

function pathOf(draw: Draw, several: boolean): string[] {
  if (draw.once(100)) return []
  const depth = draw.once(40) ? 6 : 2
  const root = several ? ROOTS[draw.number(4)]! : draw.from(ROOTS)
  return [root, ...Array.from({ length: depth - 1 }, () => draw.from(BRANCHES))]
}

function attributesOf(draw: Draw): Record<string, unknown> {
  if (draw.once(20)) return {}
  const size = draw.once(40) ? 180 : 1 + draw.number(24)
  return Object.fromEntries(
    Array.from({ length: size }, (_, index) => [`${draw.from(KEYS)}_${index}`, attributeOf(draw)]),
  )
}

const KEYS = ['weight', 'display_diagonal', 'color', 'länge', 'compatible_memory_cards', 'usb_2_0_ports_quantity']

function attributeOf(draw: Draw): unknown {
  switch (draw.number(8)) {
    case 0:
    case 1:
      return draw.number(100_000) / 10
    case 2:
      return draw.once(2)
    case 3:
      return draw.once(50) ? draw.from(TEXTS).repeat(60) : draw.from(TEXTS)
    case 4:
      return draw.once(20) ? null : draw.from(QUALITIES)
    default:
      return draw.from(QUALITIES)
  }
}
