import type { Environment } from '../../../kernel/environment.ts'
import { NumberColumn } from './growing.ts'
import { ProductIds } from './product-ids.ts'
import { Texts, ValueSets } from './value-sets.ts'

/** The facts of a product that lists filter and count by. */
export interface ListedProduct {
  readonly id: string
  readonly storeId: string
  readonly locales: readonly string[]
  readonly brand: string | null
  /** The categories that it is in or below. */
  readonly lineage: readonly string[]
  /** The environments in which it can be bought now. */
  readonly sellableIn: readonly Environment[]
  readonly offers: readonly Offer[]
}

/** Its prices in one currency, and the option values of the SKUs with a price in it. */
interface Offer {
  readonly currency: string
  readonly priceMin: number
  readonly priceMax: number
  readonly optionValues: readonly string[]
}

/** The offers in one currency. Option set 0: not listed in it. */
export interface OfferColumns {
  readonly priceMin: NumberColumn
  readonly priceMax: NumberColumn
  readonly optionSets: NumberColumn
}

/** A store with the locales that a product is listed in. */
export interface Placement {
  readonly storeId: string
  readonly locales: readonly string[]
}

export const ENVIRONMENT_BITS: Readonly<Record<Environment, number>> = { live: 1, test: 2 }
export const BITS_OF_ALL = 3

/**
 * The facts of all listed products that lists filter and count by, in columns of one number per product. About 45 bytes a product, and
 * 10 more for each further currency.
 */
export class Columns {
  readonly ids = new ProductIds()
  readonly brands = new Texts()
  readonly categories = new ValueSets()
  readonly options = new ValueSets()
  /** Placement 1 is at index 0. */
  readonly placements: Placement[] = []
  /** The placement of a product; 0: not listed. */
  readonly placementOf = new NumberColumn()
  /** The brand of a product, where 1 is the first brand; 0: none. */
  readonly brandOf = new NumberColumn()
  readonly categorySetOf = new NumberColumn()
  readonly sellableIn = new NumberColumn()
  readonly #offers = new Map<string, OfferColumns>()
  readonly #placementNumbers = new Texts()

  /** The number of products with a place, listed or not. */
  get size(): number {
    return this.ids.size
  }

  /** The size in memory, without the texts of brands, categories and options. */
  get bytes(): number {
    const columns = [this.placementOf, this.brandOf, this.categorySetOf, this.sellableIn]
    for (const { priceMin, priceMax, optionSets } of this.#offers.values()) columns.push(priceMin, priceMax, optionSets)
    return (
      columns.reduce((sum, { values }) => sum + values.byteLength, 0) +
      this.ids.bytes +
      this.categories.bytes +
      this.options.bytes
    )
  }

  /** The offers in a currency; `undefined` if no product has one. */
  offersIn(currency: string): OfferColumns | undefined {
    return this.#offers.get(currency)
  }

  /** Sets all facts of a product. */
  set({ id, storeId, locales, brand, lineage, sellableIn, offers }: ListedProduct): void {
    const place = this.ids.findOrAdd(id)
    this.placementOf.set(place, this.#placement(storeId, locales))
    this.brandOf.set(place, brand === null ? 0 : this.brands.numberOf(brand) + 1)
    this.categorySetOf.set(place, this.categories.numberOf(lineage))
    this.sellableIn.set(
      place,
      sellableIn.reduce((bits, environment) => bits | ENVIRONMENT_BITS[environment], 0),
    )
    for (const { optionSets } of this.#offers.values()) optionSets.set(place, 0)
    for (const { currency, priceMin, priceMax, optionValues } of offers) {
      const columns = this.#offersOf(currency)
      columns.priceMin.set(place, priceMin)
      columns.priceMax.set(place, priceMax)
      columns.optionSets.set(place, this.options.numberOf(optionValues))
    }
  }

  /** Marks a product as not listed. It keeps its place. */
  remove(id: string): void {
    const place = this.ids.find(id)
    if (place >= 0) this.placementOf.set(place, 0)
  }

  /** The distinct places of these products. Products without a place are left out. */
  placesOf(ids: readonly string[]): Uint32Array {
    const places = new Uint32Array(ids.length)
    let found = 0
    for (const id of ids) {
      const place = this.ids.find(id)
      if (place < 0) continue
      places[found] = place
      found += 1
    }
    // Sorted, so that the same one is next to itself: a set of them took three times as long.
    const sorted = places.subarray(0, found).sort()
    return sorted.filter((place, index) => index === 0 || place !== sorted[index - 1])
  }

  #offersOf(currency: string): OfferColumns {
    const known = this.#offers.get(currency)
    if (known !== undefined) return known
    const added = { priceMin: new NumberColumn(), priceMax: new NumberColumn(), optionSets: new NumberColumn() }
    this.#offers.set(currency, added)
    return added
  }

  #placement(storeId: string, locales: readonly string[]): number {
    const number = this.#placementNumbers.numberOf([storeId, ...locales].join(' '))
    this.placements[number] ??= { storeId, locales }
    return number + 1
  }
}
