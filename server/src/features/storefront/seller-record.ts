import { present } from '../../kernel/assert.ts'
import { isShownTimeZone } from '../../kernel/format-date.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** The legal seller: the owner of a store, or the marketplace. */
export interface SellerRecord {
  /** `null`: the marketplace. */
  readonly storeId: string | null
  readonly legalName: string
  readonly address: SellerAddress
  /** The country of establishment and of the address, as ISO 3166-1 alpha-2. */
  readonly country: string
  /** At most one per country. The country is that of the registration, as ISO 3166-1 alpha-2. */
  readonly vatIds: readonly SellerVatId[]
  readonly taxNumber: string | null
  /** The commercial register and the number in it. */
  readonly registration: string | null
  readonly representative: string | null
  readonly email: string
  readonly phone: string | null
  /** An IANA time zone. It dates invoices, order pages and mails, and is the default of reports. */
  readonly timeZone: string
  /** Increases by one with each change. */
  readonly version: number
}

interface SellerAddress {
  readonly line1: string
  readonly line2?: string
  readonly postalCode?: string
  readonly city: string
  readonly region?: string
}

interface SellerVatId {
  readonly country: string
  readonly id: string
}

const COLUMNS = `store_id as "storeId", legal_name as "legalName", address, country, vat_ids as "vatIds",
  tax_number as "taxNumber", registration, representative, email, phone, time_zone as "timeZone", version`
const read = statement<SellerRecord>(
  'storefront.read_seller_records',
  `select ${COLUMNS} from seller_records where store_id = any ((select $1::text[])::text[]) or store_id is null`,
)
const save = statement<SellerRecord>(
  'storefront.save_seller_record',
  `insert into seller_records (seller_id, store_id, legal_name, address, country, vat_ids, tax_number, registration,
     representative, email, phone, time_zone, created_at, updated_at)
   values (coalesce($1, 'marketplace'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
   on conflict (seller_id) do update set legal_name = excluded.legal_name, address = excluded.address,
     country = excluded.country, vat_ids = excluded.vat_ids, tax_number = excluded.tax_number,
     registration = excluded.registration, representative = excluded.representative, email = excluded.email,
     phone = excluded.phone, time_zone = excluded.time_zone, version = seller_records.version + 1, updated_at = excluded.updated_at
   returning ${COLUMNS}`,
)

/** The existing records of these stores and of the marketplace. */
export function readSellerRecords(reader: Reader, storeIds: readonly string[]): Promise<readonly SellerRecord[]> {
  return reader.rows(read, [storeIds])
}

/** The seller of a store: its own record, or that of the marketplace; `undefined` if there is neither. */
export function sellerOf(records: readonly SellerRecord[], storeId: string): SellerRecord | undefined {
  return records.find((each) => each.storeId === storeId) ?? records.find((each) => each.storeId === null)
}

/** Replaces a record. */
export async function saveSellerRecord(
  tx: Transaction,
  record: Omit<SellerRecord, 'version'>,
  now: Date,
): Promise<SellerRecord> {
  const saved = await tx.row(save, [
    record.storeId,
    record.legalName,
    JSON.stringify(record.address),
    record.country,
    JSON.stringify(record.vatIds),
    record.taxNumber,
    record.registration,
    record.representative,
    record.email,
    record.phone,
    record.timeZone,
    now,
  ])
  return saved!
}

const namesTimeZone = statement(
  'storefront.is_time_zone',
  'select from pg_timezone_names where lower(name) = lower($1) limit 1',
)

/** Whether PostgreSQL, which dates invoices, and `Intl`, which dates pages and mails, know a time zone. */
export async function isTimeZone(reader: Reader, name: string): Promise<boolean> {
  return isShownTimeZone(name) && (await reader.row(namesTimeZone, [name])) !== undefined
}

/**
 * Selects the time zone of the days that shoppers of these stores see: that of their sellers if they share one, else that of the
 * marketplace, else the only one there is, else UTC. Without stores, it is that of the account.
 *
 * @see docs/decisions/0178-days-in-the-sellers-time-zone.md
 */
export function timeZoneSql(storeIds: string): string {
  return `coalesce(
    (select min(time_zone) from seller_records where store_id = any(${storeIds})
     having count(distinct time_zone) = 1 and count(*) = cardinality(${storeIds})),
    (select time_zone from seller_records where store_id is null),
    (select first_zone from (select min(time_zone) as first_zone, max(time_zone) as last_zone from seller_records) as zones
     where first_zone = last_zone), 'UTC')`
}

const timeZone = statement<{ zone: string }>('storefront.time_zone', `select ${timeZoneSql('$1::text[]')} as zone`)

/** The time zone of the days that shoppers of these stores see. */
export async function readTimeZone(reader: Reader, storeIds: readonly string[]): Promise<string> {
  return present(await reader.row(timeZone, [storeIds]), 'a select without a table returns a row').zone
}

const without = statement<{ slug: string }>(
  'storefront.stores_without_seller',
  `select slug from stores where status = 'active'
     and not exists (select from seller_records where store_id = stores.id or store_id is null) order by slug`,
)

/** The slugs of the active stores that have no seller record, if the marketplace has none either. */
export async function storesWithoutSeller(reader: Reader): Promise<readonly string[]> {
  return (await reader.rows(without)).map(({ slug }) => slug)
}
