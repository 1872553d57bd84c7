import { type Both, type DemoPromotion, promotions, shippingZones, taxRates } from '../../../demo/index.ts'
import { type ShippingRate, type ShippingZone, saveShippingZones, saveTaxRates } from '../../features/pricing/index.ts'
import {
  type LineSelection,
  type Promotion,
  type PromotionEffect,
  savePromotion,
} from '../../features/promotions/index.ts'
import { assert, present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../../platform/postgres/index.ts'

/** The ids that the catalogue gave to what rules name by slug. */
export interface KnownIds {
  readonly stores: ReadonlyMap<string, string>
  readonly products: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, string>
}

/** Writes the demo's tax tables, shipping tables and promotions. */
export function writeDemoRules(tx: Transaction, known: KnownIds, ids: IdSource, now: Date): void {
  for (const [slug, storeId] of known.stores) {
    const rates = present(taxRates[slug], `the tax table of ${slug}`)
    saveTaxRates(
      tx,
      storeId,
      rates.map((rate) => ({ ...rate, name: inBoth(rate.name) })),
    )
    saveShippingZones(tx, storeId, zonesOf(slug, ids))
  }
  for (const promotion of promotions) savePromotion(tx, promotionOf(promotion, known, ids, now), now)
}

const inBoth = ([en, de]: Both) => ({ en, de })

function zonesOf(slug: string, ids: IdSource): Omit<ShippingZone, 'storeId'>[] {
  return present(shippingZones[slug], `the shipping table of ${slug}`).map(({ name, countries, methods }) => ({
    zoneId: ids.next('shp'),
    name,
    places: countries.map((country) => ({ country, region: null })),
    methods: methods.map((method) => ({
      methodId: ids.next('shp'),
      name: inBoth(method.name),
      basis: method.basis,
      minDays: method.days[0],
      maxDays: method.days[1],
      taxCategory: 'shipping',
      rates: (['EUR', 'USD'] as const).flatMap((currency, column) => ratesOf(currency, column, method.steps)),
    })),
  }))
}

function ratesOf(
  currency: string,
  column: number,
  steps: readonly (readonly [number, number, number])[],
): ShippingRate[] {
  return steps.map(([from, ...amounts], index) => {
    const next = steps[index + 1]
    return { currency, from: BigInt(from), upTo: next ? BigInt(next[0]) : null, amount: BigInt(amounts[column]!) }
  })
}

const DAY_MS = 24 * 60 * 60 * 1000

function promotionOf(facts: DemoPromotion, known: KnownIds, ids: IdSource, now: Date): Promotion {
  const select = (selection: DemoPromotion['lines'] = {}): LineSelection => ({
    productIds: (selection.products ?? []).map((slug) => idOf(known.products, slug)),
    categoryIds: (selection.categories ?? []).map((slug) => idOf(known.categories, slug)),
  })
  const inDays = (days?: number) => (days === undefined ? null : new Date(now.getTime() + days * DAY_MS))
  return {
    id: ids.next('prm'),
    storeId: facts.store ? idOf(known.stores, facts.store) : null,
    code: facts.code ?? null,
    title: inBoth(facts.title),
    status: facts.paused ? 'paused' : 'active',
    effect: effectOf(facts.effect, select),
    lines: select(facts.lines),
    storeIds: (facts.stores ?? []).map((slug) => idOf(known.stores, slug)),
    audience: { kind: facts.knownCustomers ? 'known_customers' : 'anyone' },
    startsAt: inDays(facts.startsInDays),
    endsAt: inDays(facts.endsInDays),
    minimumSubtotal: facts.minimum ?? {},
    usageLimit: facts.usageLimit ?? null,
    usageLimitPerCustomer: facts.usageLimitPerCustomer ?? null,
    priority: facts.priority ?? 100,
    combinesWith: facts.combinesWith ?? [],
    stopAfter: facts.stopAfter ?? false,
  }
}

function effectOf(
  effect: DemoPromotion['effect'],
  select: (selection: DemoPromotion['lines']) => LineSelection,
): PromotionEffect {
  if (effect.kind !== 'buy_x_get_y') return effect
  return { ...effect, gets: effect.gets ? select(effect.gets) : null, setsMax: effect.setsMax ?? null }
}

function idOf(known: ReadonlyMap<string, string>, slug: string): string {
  const id = known.get(slug)
  assert(id !== undefined, `a demo rule names ${slug}, which the demo does not have`)
  return id
}
