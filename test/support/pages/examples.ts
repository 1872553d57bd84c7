import assert from 'node:assert/strict'
import type { Shop } from '../commerce/shop.ts'
import { logged, opened } from '../commerce/webhook-endpoints.ts'
import { operatorClient } from '../operator.ts'
import { OPERATOR_TOKEN } from '../operator-token.ts'
import type { InstallationClient } from '../world.ts'

/** A query for an example of each path parameter of the console. */
const EXAMPLES: Readonly<Record<string, string>> = {
  orderId: 'select id from orders order by created_at, id limit 1',
  afterSalesId: 'select id from after_sales limit 1',
  installationId: 'select installation_id as id from webhook_endpoints limit 1',
  endpointId: 'select id from webhook_endpoints limit 1',
  deliveryId: 'select id from webhook_deliveries limit 1',
  paymentId: 'select id from payment_intents limit 1',
  customerId: 'select id from customers limit 1',
  kind: "select 'orders.confirmed' as id",
  language: "select 'de' as id",
  mailId: 'select id from mails limit 1',
  importId: 'select id from catalog_imports limit 1',
  documentId: 'select id from legal_documents limit 1',
  productId: 'select product_id as id from skus order by code desc limit 1',
  promotionId: 'select id from promotions limit 1',
  categoryId: 'select id from categories limit 1',
  storeSlug: 'select slug as id from stores order by created_at, id limit 1',
}

/** The path of a page with an example for each parameter. */
export async function filled(shop: Shop, pattern: string): Promise<string> {
  const parts = pattern.split('/').map(async (part) => {
    if (!part.startsWith(':')) return part
    const sql = EXAMPLES[part.slice(1)]
    assert(sql !== undefined, `${pattern}: EXAMPLES has a query for ${part.slice(1)}`)
    const [row] = await shop.query(sql)
    assert(row !== undefined, `${pattern}: the shop of this test has a ${part.slice(1)}`)
    return encodeURIComponent(String(row.id))
  })
  return (await Promise.all(parts)).join('/')
}

/** Adds examples that sales do not create: a customer, a webhook endpoint with a delivery, and an import with a fault. */
export async function addExamples(
  shop: Shop,
  client: InstallationClient,
  storeSlug: string,
  hook: string,
): Promise<void> {
  await shop.run(
    `insert into customers (id, email, email_key, password_hash, password_changed_at, first_name, locale,
       marketing_consent, accepted_documents, confirmed_at, created_at, updated_at)
     values ($1, $2, $2, '$argon2id$', $3, 'Grace', 'en', false, '[]', $3, $3, $3)`,
    [shop.ids.next('cus'), 'grace@example.com', shop.clock.now()],
  )
  const endpoint = await opened(client, { url: `https://shop.example/${hook}` })
  await logged(shop, { installationId: client.installationId, endpointId: endpoint.id })
  const { origin } = await operatorClient(shop)
  await fetch(`${origin}/operator/v1/imports?store=${storeSlug}&format=jsonl&name=plates.jsonl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
    body: JSON.stringify({ type: 'product', id: 'plate' }),
  })
}
