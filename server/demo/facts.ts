import type { Backdrop, Picture, Tone } from './drawings/index.ts'

/** A text in English and in German. */
export type Both = readonly [en: string, de: string]

/** An amount in euro cents and in US cents: each is set by hand, neither is converted. */
export type Price = readonly [eur: number, usd: number]

/** A choice beside the colour: its values, and what each does to price and weight. */
export interface Choice {
  readonly name: string
  readonly label: Both
  readonly values: readonly {
    readonly value: string
    readonly label?: Both
    /** Times the product's price, then rounded to whole euros and dollars, less ten cents where the price has them. */
    readonly priceFactor?: number
    readonly weightFactor?: number
    /** What it adds to the SKU's code. */
    readonly code: string
  }[]
}

/** What the products of a kind have in common. */
export interface Family {
  /** The leaf of the category tree. */
  readonly category: string
  /** What the colour is called here: a glaze, a cover, an ink. */
  readonly colour?: { readonly name: string; readonly label: Both }
  readonly choice?: Choice
  readonly weightGrams: number
  readonly taxCategory?: 'books' | 'coffee_tea' | 'confectionery' | 'digital' | 'vouchers'
  /** What its buyer gets by mail, where nothing is shipped: a code to redeem, or a link to open. */
  readonly mailed?: 'code' | 'link'
  readonly material?: Both
  readonly origin?: Both
  /** The last paragraph of each description: care, making, what is in the box. */
  readonly details: Both
}

/** How much lies on the shelf: a number for every SKU, one for each, or without end (downloads, vouchers). */
export type Stock = number | readonly number[] | 'endless'

export interface DemoProduct<FamilyName extends string = string> {
  readonly slug: string
  /** Begins each of its SKU codes. */
  readonly code: string
  readonly family: FamilyName
  readonly name: Both
  /** What the maker says about it. */
  readonly text: Both
  readonly price: Price
  /** What it cost before. */
  readonly was?: Price
  readonly picture: Picture
  /** The colours it comes in, the pictured one first. Absent: no choice of colour. */
  readonly colours?: readonly Tone[]
  /** Absent: counted out from its code, between 8 and 67 units. */
  readonly stock?: Stock
  readonly whenOutOfStock?: 'backorder' | 'preorder'
  /** Capacity or measure, as it is printed on the label. */
  readonly measure?: string
  readonly weightGrams?: number
  readonly rating?: readonly [average: number, count: number]
}

export interface DemoStore<FamilyName extends string = string> {
  readonly slug: string
  readonly name: Both
  readonly description: Both
  readonly backdrop: Backdrop
  readonly currencies: readonly ('EUR' | 'USD')[]
  readonly locales: readonly ('en' | 'de')[]
  readonly countries: readonly string[]
  readonly pricesIncludeTax: boolean
  readonly logo: Picture
  readonly contactEmail: string
  readonly policies: readonly {
    readonly type: 'returns' | 'shipping' | 'warranty'
    readonly title: Both
    readonly text: Both
  }[]
  readonly families: Readonly<Record<FamilyName, Family>>
  readonly products: readonly DemoProduct<FamilyName>[]
}

/** Declares a store, so that a product of an unknown family does not compile. */
export function store<FamilyName extends string>(facts: DemoStore<FamilyName>): DemoStore<FamilyName> {
  return facts
}
