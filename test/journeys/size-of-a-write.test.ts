import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARTS, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'

/** The maximum number of bytes that a write keeps for 30 days. @see docs/decisions/0077-answers-by-day.md */
const BYTES_MAX = 1200
const WRITES = runsOf({ full: 2000, short: 300 })
/** Each cart has one line of at most 999 units, of 500 in stock. */
const WRITES_OF_CART = 450
const PAGE_BYTES = 8192

test('adding an item keeps at most 1,200 bytes: its key, its answer and its event', async () => {
  const shop = await startShop()
  const client = await shop.client()
  const size = async () => {
    const [row] = await shop.query(
      `select sum(pg_relation_size(class.oid)) as bytes, count(*) as relations
       from pg_class as class left join pg_index on indexrelid = class.oid
       where coalesce(indrelid, class.oid)::regclass::text ~ '^(idempotency_(keys|answers.*)|events)$'
       and class.relkind in ('r', 'i')`,
    )
    return { bytes: Number(row?.bytes), relations: Number(row?.relations) }
  }
  const before = await size()
  for (let written = 0; written < WRITES; written += WRITES_OF_CART) {
    const { id } = (await client.post(CARTS, { currency: 'EUR', country: 'DE' })).body.data
    const path = `${CARTS}/${id}/items`
    for (let nth = written; nth < Math.min(written + WRITES_OF_CART, WRITES); nth += 1) {
      const { status, text } = await client.post(path, { skuId: shop.sku('MUG'), quantity: 1 })
      assert.equal(status, 200, text)
    }
  }
  const { bytes, relations } = await size()
  // The last page of each table and index is not full.
  const kept = bytes - before.bytes - relations * PAGE_BYTES
  assert.ok(kept > 0, 'the tables are found')
  assert.ok(kept <= WRITES * BYTES_MAX, `${Math.round(kept / WRITES)} bytes`)
  process.stdout.write(`${Math.round(kept / WRITES)} to ${Math.round((bytes - before.bytes) / WRITES)} bytes a write\n`)
})
