import { readDemoLines } from '../../../demo/index.ts'
import { type ShippingRate, type ShippingZone, saveShippingZones, saveTaxRates } from '../../features/pricing/index.ts'
import {
  amountsOf,
  FOR_EVERYONE,
  type LocalizedText,
  type Promotion,
  savePromotion,
} from '../../features/promotions/index.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import { type KnownIds, parseWithIds } from './known-ids.ts'

/** A line of `taxes.jsonl`: the rates of a place, in each store that charges them. */
export interface DemoTaxes {
  readonly stores: readonly string[]
  readonly country: string
  readonly region?: string
  readonly code: string
  readonly name: LocalizedText
  /** By tax category. */
  readonly rates: Readonly<Record<string, string>>
}

/** A line of `shipping.jsonl`. */
export interface DemoShippingZone {
  readonly store: string
  readonly name: string
  readonly countries: readonly string[]
  readonly methods: readonly {
    readonly name: LocalizedText
    readonly basis: 'weight' | 'subtotal'
    readonly minDays: number
    readonly maxDays: number
    /** Ascending: the lower limit of a step and its price in euros, dollars and pounds. The last step has no upper limit. */
    readonly steps: readonly (readonly [from: number, eur: number, usd: number, gbp: number])[]
  }[]
}

/** A line of `promotions.jsonl`. Days are counted from the day of loading. */
export interface DemoPromotion extends Partial<Omit<Promotion, 'id' | 'startsAt' | 'endsAt'>> {
  readonly title: LocalizedText
  readonly effect: Promotion['effect']
  readonly startsInDays?: number
  readonly endsInDays?: number
}

/** Writes the demo's tax tables, shipping tables and promotions. */
export function writeDemoRules(tx: Transaction, known: KnownIds, ids: IdSource, now: Date): void {
  const taxes = readDemoLines('taxes.jsonl').map((line) => JSON.parse(line) as DemoTaxes)
  const zones = readDemoLines('shipping.jsonl').map((line) => JSON.parse(line) as DemoShippingZone)
  for (const [slug, storeId] of known.stores) {
    saveTaxRates(tx, storeId, taxes.filter(({ stores }) => stores.includes(slug)).flatMap(taxRates))
    saveShippingZones(
      tx,
      storeId,
      zones.filter(({ store }) => store === slug).map((zone) => shippingZone(zone, ids)),
    )
  }
  for (const line of readDemoLines('promotions.jsonl')) savePromotion(tx, promotionOf(line, known, ids, now), now)
}

function taxRates({ country, region, code, name, rates }: DemoTaxes) {
  return Object.entries(rates).map(([category, rate]) => ({
    country,
    region: region ?? null,
    category,
    code,
    name,
    rate,
  }))
}

function shippingZone({ name, countries, methods }: DemoShippingZone, ids: IdSource): Omit<ShippingZone, 'storeId'> {
  return {
    zoneId: ids.next('shp'),
    name,
    places: countries.map((country) => ({ country, region: null })),
    methods: methods.map(({ steps, ...method }) => ({
      methodId: ids.next('shp'),
      ...method,
      taxCategory: 'shipping',
      rates: CURRENCIES.flatMap((currency, index) => shippingRates(currency, steps, index + 1)),
    })),
  }
}

type Steps = DemoShippingZone['methods'][number]['steps']

/** In the order of the prices of a step. */
const CURRENCIES = ['EUR', 'USD', 'GBP']

function shippingRates(currency: string, steps: Steps, column: number): ShippingRate[] {
  return steps.map((step, index) => {
    const next = steps[index + 1]
    return { currency, from: BigInt(step[0]), upTo: next ? BigInt(next[0]) : null, amount: BigInt(step[column] ?? 0) }
  })
}

const DEFAULTS: Omit<Promotion, 'id' | 'title' | 'effect'> = { ...FOR_EVERYONE, priority: 100 }

const DAY_MS = 24 * 60 * 60 * 1000

function promotionOf(line: string, known: KnownIds, ids: IdSource, now: Date): Promotion {
  const { startsInDays, endsInDays, ...promotion } = parseWithIds<DemoPromotion>(line, known)
  const { effect, minimumSubtotal = {} } = promotion
  const inDays = (days?: number) => (days === undefined ? null : new Date(now.getTime() + days * DAY_MS))
  return {
    ...DEFAULTS,
    ...promotion,
    id: ids.next('prm'),
    effect: effect.kind === 'fixed_amount' ? { ...effect, amounts: amountsOf(effect.amounts) } : effect,
    minimumSubtotal: amountsOf(minimumSubtotal),
    startsAt: inDays(startsInDays),
    endsAt: inDays(endsInDays),
  }
}
