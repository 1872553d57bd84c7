import { shortestDecimal } from '../../kernel/money.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision, loadRevision } from '../../platform/revisions/revisions.ts'
import { type LocalizedText, rulesSubject } from '../promotions/index.ts'
import type { PricingRules, ShippingMethod, ShippingZone, TaxRate, TaxScheme } from './types.ts'

/** The tax source of a store without a tax provider. */
const TABLES = 'tables'

interface TaxRateRow {
  readonly store_id: string
  readonly country: string
  readonly region: string
  readonly category: string
  readonly code: string
  readonly postal_from: string
  readonly postal_to: string
  readonly name: LocalizedText
  readonly rate: string
}

const taxRates = statement<TaxRateRow>(
  'pricing.tax_rates',
  `select store_id, country, region, category, code, postal_from, postal_to, name, rate from tax_rates where store_id = any($1)
   order by store_id, country, region, category, code, postal_from`,
)
interface TaxSettingsRow {
  readonly storeId: string
  /** `null` with `kind`: no scheme. */
  readonly country: string | null
  readonly kind: TaxScheme['kind'] | null
  readonly source: string
}

const taxSettings = statement<TaxSettingsRow>(
  'pricing.tax_settings',
  `select store.id as "storeId", scheme.country, scheme.kind, store.tax_source as source
   from stores store left join tax_schemes scheme on scheme.store_id = store.id
   where store.id = any($1) and (scheme.store_id is not null or store.tax_source <> '${TABLES}')`,
)

interface ZoneRow {
  readonly id: string
  readonly store_id: string
  readonly name: string
  readonly places: ShippingZone['places']
  readonly methods: readonly StoredMethod[]
}

/** JSON; CHECKs keep integers within 2^53 − 1. */
type StoredMethod = Omit<ShippingMethod, 'rates'> & { readonly rates: readonly StoredRate[] }

interface StoredRate {
  readonly currency: string
  readonly from: number
  readonly upTo: number | null
  readonly amount: number
}

const shippingZones = statement<ZoneRow>(
  'pricing.shipping_zones',
  `select zone.id, zone.store_id, zone.name,
     (select coalesce(jsonb_agg(jsonb_build_object('country', country, 'region', nullif(region, ''))
                                order by country, region), '[]')
        from shipping_zone_places place where place.zone_id = zone.id) as places,
     (select coalesce(jsonb_agg(jsonb_build_object(
               'methodId', method.id, 'name', method.name, 'basis', basis, 'minDays', min_days, 'maxDays', max_days,
               'taxCategory', tax_category,
               'rates', (select coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'from', from_value,
                                  'upTo', up_to_value, 'amount', amount) order by currency, from_value), '[]')
                         from shipping_rates rate where rate.method_id = method.id)) order by method.id), '[]')
        from shipping_methods method where method.zone_id = zone.id) as methods
   from shipping_zones zone where zone.store_id = any($1) order by zone.id`,
)

/** Load the stores' tax and shipping tables. Three statements, one round trip. */
export async function loadPricingRules(reader: Reader, storeIds: readonly string[]): Promise<Required<PricingRules>> {
  const [rates, settings, zones] = await Promise.all([
    reader.rows(taxRates, [storeIds]),
    reader.rows(taxSettings, [storeIds]),
    reader.rows(shippingZones, [storeIds]),
  ])
  return {
    taxRates: rates.map(taxRateOf),
    taxSchemes: settings.flatMap(({ storeId, country, kind }) => {
      return country === null || kind === null ? [] : [{ storeId, country, kind }]
    }),
    taxSources: settings.flatMap(({ storeId, source }) => (source === TABLES ? [] : [{ storeId, provider: source }])),
    shippingZones: zones.map(zoneOf),
  }
}

/** Selects the names of shipping options, by id, as a JSON object. */
export function shippingNamesSql(optionIds: string): string {
  return `(select coalesce(jsonb_object_agg(id, name), '{}') from shipping_methods where id = any(${optionIds}::text[]))`
}

function taxRateOf({
  store_id: storeId,
  region,
  postal_from: from,
  postal_to: to,
  rate,
  ...rest
}: TaxRateRow): TaxRate {
  const postalCodes = from !== '' && { postalCodes: { from, to } }
  return { ...rest, storeId, region: region || null, ...postalCodes, rate: shortestDecimal(rate) }
}

function zoneOf({ id: zoneId, store_id: storeId, name, places, methods }: ZoneRow): ShippingZone {
  return { zoneId, storeId, name, places, methods: methods.map(methodOf) }
}

function methodOf({ rates, ...method }: StoredMethod): ShippingMethod {
  return {
    ...method,
    rates: rates.map(({ currency, from, upTo, amount }) => ({
      currency,
      from: BigInt(from),
      upTo: upTo === null ? null : BigInt(upTo),
      amount: BigInt(amount),
    })),
  }
}

/** The version of a store's rules, promotions included. */
export async function rulesVersion(reader: Reader, storeId: string): Promise<number> {
  return Number(await loadRevision(reader, rulesSubject(storeId)))
}

const deleteTaxRates = statement('pricing.forget_tax_rates', 'delete from tax_rates where store_id = $1')
const saveTaxRate = statement(
  'pricing.save_tax_rates',
  `insert into tax_rates (store_id, country, region, category, code, postal_from, postal_to, name, rate)
   select $1, country, coalesce(region, ''), category, code, coalesce("postalCodes"->>'from', ''),
     coalesce("postalCodes"->>'to', ''), name, rate
   from jsonb_to_recordset($2) as rate (country text, region text, category text, code text, "postalCodes" jsonb, name jsonb,
     rate numeric)`,
)

/** Replace a store's tax table and bump its revision. */
export function saveTaxRates(tx: Transaction, storeId: string, rates: readonly Omit<TaxRate, 'storeId'>[]): void {
  tx.write(deleteTaxRates, [storeId])
  tx.write(saveTaxRate, [storeId, JSON.stringify(rates)], { rows: rates.length })
  bumpRevision(tx, rulesSubject(storeId))
}

const saveScheme = statement(
  'pricing.save_tax_scheme',
  `insert into tax_schemes (store_id, country, kind) values ($1, $2, $3)
   on conflict (store_id) do update set country = excluded.country, kind = excluded.kind`,
)

/** Set the tax scheme of a store and bump the revision of its rules. */
export function saveTaxScheme(tx: Transaction, { storeId, country, kind }: TaxScheme): void {
  tx.write(saveScheme, [storeId, country, kind])
  bumpRevision(tx, rulesSubject(storeId))
}

const saveSource = statement('pricing.save_tax_source', 'update stores set tax_source = $2 where id = $1')

/** Set the tax provider of a store; `null` for its own tables. Bumps the revision of its rules. */
export function saveTaxSource(tx: Transaction, storeId: string, provider: string | null): void {
  tx.write(saveSource, [storeId, provider ?? TABLES], { rows: 1 })
  bumpRevision(tx, rulesSubject(storeId))
}

const deleteZones = statement('pricing.forget_shipping_zones', 'delete from shipping_zones where store_id = $1')
const saveZones = statement(
  'pricing.save_shipping_zones',
  `insert into shipping_zones (id, store_id, name)
   select id, $1, name from jsonb_to_recordset($2) as zone (id text, name text)`,
)
const savePlaces = statement(
  'pricing.save_shipping_places',
  `insert into shipping_zone_places (zone_id, store_id, country, region)
   select zone_id, $1, country, coalesce(region, '')
   from jsonb_to_recordset($2) as place (zone_id text, country text, region text)`,
)
const saveMethods = statement(
  'pricing.save_shipping_methods',
  `insert into shipping_methods (id, zone_id, name, basis, min_days, max_days, tax_category)
   select "methodId", zone_id, name, basis, "minDays", "maxDays", "taxCategory"
   from jsonb_to_recordset($1) as method (zone_id text, "methodId" text, name jsonb, basis text, "minDays" integer,
     "maxDays" integer, "taxCategory" text)`,
)
const saveRates = statement(
  'pricing.save_shipping_rates',
  `insert into shipping_rates (method_id, currency, from_value, up_to_value, amount)
   select method_id, currency, "from", "upTo", amount
   from jsonb_to_recordset($1) as rate (method_id text, currency text, "from" bigint, "upTo" bigint, amount bigint)`,
)

/** Replace a store's shipping tables and bump its revision. Carts keep a chosen option if its id stays. */
export function saveShippingZones(
  tx: Transaction,
  storeId: string,
  zones: readonly Omit<ShippingZone, 'storeId'>[],
): void {
  const places = zones.flatMap((zone) => zone.places.map((place) => ({ ...place, zone_id: zone.zoneId })))
  const methods = zones.flatMap((zone) => zone.methods.map((method) => ({ ...method, zone_id: zone.zoneId })))
  const rates = methods.flatMap((method) => method.rates.map((rate) => ({ ...rate, method_id: method.methodId })))
  tx.write(deleteZones, [storeId])
  tx.write(saveZones, [storeId, json(zones.map(({ zoneId: id, name }) => ({ id, name })))], { rows: zones.length })
  tx.write(savePlaces, [storeId, json(places)], { rows: places.length })
  tx.write(saveMethods, [json(methods.map(({ rates: _, ...method }) => method))], { rows: methods.length })
  tx.write(saveRates, [json(rates)], { rows: rates.length })
  bumpRevision(tx, rulesSubject(storeId))
}

/** JSON with bigints as strings, which PostgreSQL converts. */
function json(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

const storesWithout = statement<StoreWithoutRules>(
  'pricing.stores_without_rules',
  `select slug, not taxed as "lacksTax", not shipped as "lacksShipping"
   from (select slug,
       exists (select from tax_rates where store_id = stores.id)
         or exists (select from tax_schemes where store_id = stores.id and kind = 'exempt') as taxed,
       exists (select from shipping_zones zone join shipping_methods method on method.zone_id = zone.id
         join shipping_rates rate on rate.method_id = method.id where zone.store_id = stores.id) as shipped
     from stores where status = 'active') as store
   where not taxed or not shipped order by slug`,
)

/** A store that lacks tax or shipping rules. */
interface StoreWithoutRules {
  readonly slug: string
  /** It has no tax rate, and is not exempt. */
  readonly lacksTax: boolean
  /** It has no shipping method with a rate. */
  readonly lacksShipping: boolean
}

/** The active stores without tax rates or shipping rates. */
export function storesWithoutRules(reader: Reader): Promise<StoreWithoutRules[]> {
  return reader.rows(storesWithout)
}
