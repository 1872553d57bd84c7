import type { OperatorShippingZone, OperatorTaxRate, operatorOperations } from '@vitrine/contract/operator'
import { regionCodeOf } from '../../../features/carts/index.ts'
import { findStore, lockStore, type StoreRecord } from '../../../features/catalog/index.ts'
import { type TaxReportLine, taxReport } from '../../../features/orders/index.ts'
import {
  compactPostalCode,
  lastTaxFailure,
  loadPricingRules,
  type RuleFault,
  rulesVersion,
  type ShippingZone,
  saveTaxRates as saveRates,
  saveTaxScheme,
  saveTaxSource,
  saveShippingZones as saveZones,
  shippingZoneFaults,
  type TaxRate,
  taxRateFaults,
} from '../../../features/pricing/index.ts'
import { majorOf } from '../../../kernel/currencies.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import { csvCell, csvFile } from '../../../platform/line-files/csv-table.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { daysOf } from '../../door/period.ts'

type Rows = typeof operatorOperations
type Zone = Omit<ShippingZone, 'storeId'>

/** The tax providers that are configured. */
type TaxProviderNames = readonly string[]

export interface TaxOperationDeps {
  readonly taxProviders: TaxProviderNames
}

const TABLES = 'tables'

/** GET /operator/v1/stores/{storeSlug}/tax-rates */
function getTaxRates(providers: TaxProviderNames): OperatorHandler<Rows['getTaxRates']> {
  return async ({ params }, { reader }) => {
    return taxTable(reader, (await findStore(reader, params.storeSlug)) ?? refuse('not_found'), providers)
  }
}

/** PUT /operator/v1/stores/{storeSlug}/tax-rates */
function saveTaxRates(providers: TaxProviderNames): OperatorHandler<Rows['saveTaxRates']> {
  return async ({ params, body }, { tx, audit }) => {
    const store = (await lockStore(tx, params.storeSlug)) ?? refuse('not_found')
    const current = await taxTable(tx, store, providers)
    refuseStale(current.version, body.expectedVersion)
    refuseFaults('/rates', regionFaults(body.rates))
    const rates = body.rates.map(taxRateFrom)
    refuseFaults('/rates', taxRateFaults(rates))
    const { source } = body
    if (source !== undefined && source !== current.source && !current.sources.includes(source)) {
      refuseFaults('', [{ pointer: '/source', message: `Must be one of: ${current.sources.join(', ')}.` }])
    }

    saveRates(tx, store.id, rates)
    if (body.scheme) saveTaxScheme(tx, { storeId: store.id, ...body.scheme })
    if (source !== undefined) saveTaxSource(tx, store.id, source === TABLES ? null : source)

    const saved = await taxTable(tx, store, providers)
    const { before, after } = differing('rates', current.rates, saved.rates)
    audit({
      subject: { type: 'tax_rates', id: store.id },
      before: { scheme: current.scheme, source: current.source, ...before },
      after: { scheme: saved.scheme, source: saved.source, ...after },
    })
    return saved
  }
}

/** GET /operator/v1/stores/{storeSlug}/shipping-zones */
const getShippingZones: OperatorHandler<Rows['getShippingZones']> = async ({ params }, { reader }) => {
  return shippingTable(reader, (await findStore(reader, params.storeSlug)) ?? refuse('not_found'))
}

/** PUT /operator/v1/stores/{storeSlug}/shipping-zones */
const saveShippingZones: OperatorHandler<Rows['saveShippingZones']> = async ({ params, body }, { tx, ids, audit }) => {
  const store = (await lockStore(tx, params.storeSlug)) ?? refuse('not_found')
  const current = await shippingTable(tx, store)
  refuseStale(current.version, body.expectedVersion)
  refuseFaults('/zones', faultsOfIds(body.zones, current.zones))
  for (const [index, { places }] of body.zones.entries()) refuseFaults(`/zones/${index}/places`, regionFaults(places))
  const zones = body.zones.map((zone) => zoneFrom(zone, ids))
  refuseFaults('/zones', shippingZoneFaults(zones))

  saveZones(tx, store.id, zones)

  const saved = await shippingTable(tx, store)
  audit({ subject: { type: 'shipping_zones', id: store.id }, ...differing('zones', current.zones, saved.zones) })
  return saved
}

/** GET /operator/v1/stores/{storeSlug}/tax-report */
const exportTaxReport: OperatorHandler<Rows['exportTaxReport']> = async ({ params, query }, { reader }) => {
  const store = (await findStore(reader, params.storeSlug)) ?? refuse('not_found')
  const { environment = 'live', from, to } = query
  const lines = await taxReport(reader, { environment, storeId: store.id, ...daysOf({ from, to }) })
  return { fileName: `${store.slug}-tax-${from}-${to}.csv`, lines: csvFile(csvOf(lines)) }
}

const COLUMNS =
  'country,currency,tax,rate,category,exemption,net,tax_amount,refunded_net,refunded_tax,total_net,total_tax,source'

/** CSV according to RFC 4180. Amounts in major units. */
async function* csvOf(lines: readonly TaxReportLine[]): AsyncIterable<string> {
  yield `${COLUMNS}\r\n`
  for (const { country, currency, name, rate, category, exemption, source, ...of } of lines) {
    const amounts = [
      of.taxable,
      of.tax,
      of.refundedTaxable,
      of.refundedTax,
      of.taxable - of.refundedTaxable,
      of.tax - of.refundedTax,
    ].map((amount) => majorOf(amount, currency))
    yield `${[country, currency, csvCell(name), rate, category, exemption ?? '', ...amounts, source].join()}\r\n`
  }
}

export function taxAndShippingOperations({ taxProviders }: TaxOperationDeps) {
  return {
    exportTaxReport,
    getTaxRates: getTaxRates(taxProviders),
    saveTaxRates: saveTaxRates(taxProviders),
    getShippingZones,
    saveShippingZones,
  }
}

async function taxTable(reader: Reader, store: StoreRecord, providers: TaxProviderNames) {
  const [{ taxRates, taxSchemes, taxSources }, version, failure] = await Promise.all([
    loadPricingRules(reader, [store.id]),
    rulesVersion(reader, store.id),
    lastTaxFailure(reader, store.id),
  ])
  const rates = taxRates.map(({ storeId: _, region, postalCodes, name, ...rate }) => ({
    ...rate,
    ...(region !== null && { region }),
    ...(postalCodes && { postalCodes: { ...postalCodes } }),
    name: { ...name },
  }))
  const scheme = taxSchemes.map(({ country, kind }) => ({ country, kind }))[0] ?? null
  const source = taxSources[0]?.provider ?? TABLES
  const lastFailure = failure && { reason: failure.reason, failedAt: failure.failedAt.toISOString() }
  return { storeSlug: store.slug, version, scheme, rates, source, sources: [TABLES, ...providers], lastFailure }
}

function taxRateFrom({ region, postalCodes, ...rate }: OperatorTaxRate): Omit<TaxRate, 'storeId'> {
  const range = postalCodes && {
    from: compactPostalCode(postalCodes.from),
    to: compactPostalCode(postalCodes.to),
  }
  return { ...rate, region: regionOf({ ...rate, region }), postalCodes: range ?? null } as Omit<TaxRate, 'storeId'>
}

interface Place {
  readonly country: string
  readonly region?: string | undefined
}

/** Addresses have the codes of regions, so a table with their names would match none. */
function regionOf({ country, region }: Place): string | null {
  return region === undefined ? null : regionCodeOf(country, region)
}

function regionFaults(places: readonly Place[]): readonly RuleFault[] {
  const message = 'Must be a region of the country: its ISO 3166-2 code after the hyphen, or its name.'
  return places.flatMap((place, index) =>
    place.region !== undefined && regionOf(place) === null ? [{ pointer: `/${index}/region`, message }] : [],
  )
}

async function shippingTable(reader: Reader, store: StoreRecord) {
  const [{ shippingZones }, version] = await Promise.all([
    loadPricingRules(reader, [store.id]),
    rulesVersion(reader, store.id),
  ])
  return { storeSlug: store.slug, version, zones: shippingZones.map(presentZone) }
}

function presentZone({ zoneId, name, places, methods }: ShippingZone): OperatorShippingZone {
  return {
    id: zoneId,
    name,
    places: places.map(({ country, region }) => ({ country, ...(region !== null && { region }) })),
    methods: methods.map(({ methodId, rates, ...method }) => ({
      id: methodId,
      ...method,
      name: { ...method.name },
      rates: rates.map(({ currency, from, upTo, amount }) => ({
        currency,
        from: Number(from),
        upTo: upTo === null ? null : Number(upTo),
        amount: Number(amount),
      })),
    })),
  }
}

function zoneFrom({ id, name, places, methods }: OperatorShippingZone, ids: IdSource): Zone {
  return {
    zoneId: id ?? ids.next('shp'),
    name,
    places: places.map((place) => ({ country: place.country, region: regionOf(place) })),
    methods: methods.map(({ id: methodId, rates, ...method }) => ({
      methodId: methodId ?? ids.next('shp'),
      ...method,
      rates: rates.map(({ currency, from, upTo, amount }) => ({
        currency,
        from: BigInt(from),
        upTo: upTo === null ? null : BigInt(upTo),
        amount: BigInt(amount),
      })),
    })),
  }
}

/** An id must name an existing entry of this store, and only once. Entries of another store cannot be taken over. */
function faultsOfIds(
  zones: readonly OperatorShippingZone[],
  current: readonly OperatorShippingZone[],
): readonly RuleFault[] {
  const named = (table: readonly OperatorShippingZone[]) =>
    table.flatMap((zone, at) => [
      { pointer: `/${at}/id`, id: zone.id },
      ...zone.methods.map(({ id }, index) => ({ pointer: `/${at}/methods/${index}/id`, id })),
    ])
  const left = new Set(named(current).map(({ id }) => id))
  return named(zones)
    .filter(({ id }) => id !== undefined && !left.delete(id))
    .map(({ pointer }) => ({ pointer, message: 'The id does not exist, or is used twice.' }))
}

function refuseFaults(table: string, faults: readonly RuleFault[]): void {
  if (faults.length === 0) return
  refuse('validation_failed', {
    details: faults.map(({ pointer, message }) => ({
      in: 'body',
      pointer: table + pointer,
      code: 'not_possible',
      message,
    })),
  })
}

/** The rules that were removed or replaced, and the new ones. */
function differing(name: string, before: readonly object[], after: readonly object[]) {
  const texts = (rules: readonly object[]) => new Set(rules.map((rule) => JSON.stringify(rule)))
  const [was, is] = [texts(before), texts(after)]
  return {
    before: { [name]: before.filter((rule) => !is.has(JSON.stringify(rule))) },
    after: { [name]: after.filter((rule) => !was.has(JSON.stringify(rule))) },
  }
}
