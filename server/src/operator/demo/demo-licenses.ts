import { readDemoLines } from '../../../demo/index.ts'
import { importLicenses, openLicenseVault } from '../../features/fulfillment/index.ts'
import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { statement, type Transaction } from '../../platform/postgres/index.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import type { KnownIds } from './known-ids.ts'

/** A line of `licenses.jsonl`: the keys of a SKU. */
export interface DemoLicenses {
  readonly product: string
  readonly sku: string
  readonly keys: readonly string[]
}

interface Licensing {
  readonly known: KnownIds
  readonly ids: IdSource
  readonly now: Date
  readonly randomness: Randomness
  readonly keyring: Keyring
}

const skusOfProducts = statement<{ id: string; code: string; productId: string }>(
  'demo.skus_to_mail',
  'select id, code, product_id as "productId" from skus where product_id = any($1::text[]) order by code',
)

/** Fills the license pools in the test environment only: an invented key must not be sold for money. */
export async function writeDemoLicenses(
  tx: Transaction,
  { known, ids, now, randomness, keyring }: Licensing,
): Promise<void> {
  const licenses = readDemoLines('licenses.jsonl').map((line) => JSON.parse(line) as DemoLicenses)
  const findProductIdByExternalId = ({ product }: DemoLicenses) => present(known.products.get(product), product)
  const [vault, skus] = await Promise.all([
    openLicenseVault(tx, { keyring, randomness, clock: { now: () => now } }),
    tx.rows(skusOfProducts, [licenses.map(findProductIdByExternalId)]),
  ])
  await Promise.all(
    skus.map(({ id, code, productId }) => {
      const pool = licenses.find((each) => each.sku === code && findProductIdByExternalId(each) === productId)
      return importLicenses(tx, { skuId: id, environment: 'test' }, present(pool, code).keys, { ids, now, vault })
    }),
  )
}
