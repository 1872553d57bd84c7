import { type SellerRecord, saveSellerRecord } from '../../../server/src/features/storefront/index.ts'
import type { World } from '../world.ts'

const SELLER = {
  storeId: null,
  legalName: 'Harbor Goods GmbH',
  address: { line1: 'Am Hafen 1', postalCode: '20457', city: 'Hamburg' },
  country: 'DE',
  vatIds: [{ country: 'DE', id: 'DE136695976' }],
  taxNumber: null,
  registration: null,
  representative: null,
  email: 'office@harbor.example',
  phone: null,
  timeZone: 'UTC',
}

/** Saves the legal details of the marketplace, a company in Hamburg, so that invoices are issued. */
export function saveSeller(
  { database, clock }: Pick<World, 'database' | 'clock'>,
  more: Partial<Omit<SellerRecord, 'version'>> = {},
): Promise<unknown> {
  return database.transaction((tx) => saveSellerRecord(tx, { ...SELLER, ...more }, clock.now()))
}
