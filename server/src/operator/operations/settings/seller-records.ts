import type { OperatorSellerRecord, operatorOperations } from '@vitrine/contract/operator'
import {
  isTimeZone,
  readSellerRecords,
  type SellerRecord,
  saveSellerRecord as save,
} from '../../../features/storefront/index.ts'
import { refuseField, refuseStale } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { ownerOf } from './owner.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/seller-record */
const getSellerRecord: OperatorHandler<Rows['getSellerRecord']> = async ({ query }, { reader }) => {
  return presentRecord(await findRecord(reader, await ownerOf(reader, query.storeSlug)))
}

/** PUT /operator/v1/seller-record */
const saveSellerRecord: OperatorHandler<Rows['saveSellerRecord']> = async ({ body }, { tx, now, audit }) => {
  const { storeSlug, expectedVersion, ...input } = body
  refuseRepeatedCountry(input.vatIds)
  const { timeZone = 'UTC' } = input
  if (!(await isTimeZone(tx, timeZone))) {
    refuseField('timeZone', 'not_possible', 'Must be a time zone such as Europe/Berlin.')
  }
  const storeId = await ownerOf(tx, storeSlug)
  const before = await findRecord(tx, storeId)
  refuseStale(before?.version ?? 0, expectedVersion)

  const { taxNumber = null, registration = null, representative = null, phone = null, ...required } = input
  const saved = await save(tx, { storeId, ...required, taxNumber, registration, representative, phone, timeZone }, now)
  // Another operator may have saved between the read and the write.
  if (expectedVersion !== undefined) refuseStale(saved.version - 1, expectedVersion)

  const change = changedFields(before ? detailsOf(before) : {}, detailsOf(saved))
  audit({ subject: { type: 'seller_record', id: storeId ?? 'marketplace' }, ...change })
  return presentRecord(saved)
}

export const sellerOperations = { getSellerRecord, saveSellerRecord }

async function findRecord(reader: Reader, storeId: string | null): Promise<SellerRecord | undefined> {
  const records = await readSellerRecords(reader, storeId === null ? [] : [storeId])
  return records.find((each) => each.storeId === storeId)
}

function detailsOf({ storeId: _storeId, version: _version, ...details }: SellerRecord) {
  return details
}

function presentRecord(record: SellerRecord | undefined): OperatorSellerRecord {
  if (!record) return { version: 0 }
  const { storeId: _storeId, taxNumber, registration, representative, phone, vatIds, ...rest } = record
  return {
    ...rest,
    vatIds: [...vatIds],
    ...(taxNumber !== null && { taxNumber }),
    ...(registration !== null && { registration }),
    ...(representative !== null && { representative }),
    ...(phone !== null && { phone }),
  }
}

function refuseRepeatedCountry(vatIds: readonly { readonly country: string }[]): void {
  const index = vatIds.findIndex(({ country }, at) => vatIds.findIndex((each) => each.country === country) < at)
  if (index === -1) return
  refuseField(`vatIds/${index}/country`, 'not_unique', 'There is another VAT number of this country.')
}
