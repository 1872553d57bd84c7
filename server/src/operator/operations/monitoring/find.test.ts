import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bought } from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { analyze } from '../../../../../test/support/plans.ts'
import { findByText as customersByText } from '../../../features/accounts/customer-admin.ts'
import { findByText as productsByText } from '../../../features/catalog/operator/find.ts'
import { findByText as ordersByText } from '../../../features/orders/order/list.ts'
import { statement } from '../../../platform/postgres/index.ts'

let shop: Shop
let operator: OperatorClient
let order: Awaited<ReturnType<typeof bought>>
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
  order = await bought(shop, await checkoutClient(shop), { MUG: 1 })
  await shop.run(
    `insert into customers (id, email, email_key, password_hash, password_changed_at, first_name, last_name, locale,
       marketing_consent, accepted_documents, confirmed_at, created_at, updated_at)
     values ($1, $2, $2, '$argon2id$', $3, 'Grace', 'Hopper', 'en', false, '[]', $3, $3, $3)`,
    [shop.ids.next('cus'), 'grace@example.com', shop.clock.now()],
  )
})

const find = async (q: string, environment = 'test') => {
  return (await operator.get(`/find?environment=${environment}&q=${encodeURIComponent(q)}`)).body.data
}

describe('the search of the console', () => {
  test('finds an order by the beginning of its number, its address or its recipient, only in its environment', async () => {
    for (const q of [order.number, order.number.slice(0, 4).toLowerCase(), 'ADA@exam', 'ada ex']) {
      const { orders } = await find(q)
      assert.deepEqual([q, orders.map(({ id }: { id: string }) => id)], [q, [order.id]])
    }
    assert.deepEqual((await find(order.number, 'live')).orders, [])
    assert.deepEqual((await find('T-1%')).orders, [], 'no pattern is taken from what is typed')
  })

  test('finds a customer by address and by name, and shows the address masked', async () => {
    for (const q of ['grace@', 'grace h', 'hopp']) {
      const { customers } = await find(q)
      assert.deepEqual(
        customers.map(({ name, emailMasked }: Record<string, string>) => [name, emailMasked]),
        [['Grace Hopper', 'g…@example.com']],
        q,
      )
    }
  })

  test('finds a product by the beginning of a code and by a part of its name, and nothing by two letters of it', async () => {
    const nameOf = ({ name }: { name: string }) => name
    assert.deepEqual((await find('mug')).products.map(nameOf), ['Mug'])
    assert.equal((await find('mu')).products[0].code, 'MUG')
    assert.deepEqual((await find('echer')).products.map(nameOf), ['Mug'], 'by its German name')
    assert.deepEqual((await find('ec')).products, [])
    assert.deepEqual(await find('   '), { orders: [], customers: [], products: [] })
  })

  test('reads only indexes among many orders, customers and products', async () => {
    const columns = `id, number, installation_id, environment, source, status, payment_status, fulfillment_status, version,
      currency, country, locale, email, shipping_address, total, line_count, charge, charged, placed_at, created_at, updated_at`
    const totals = await shop.query(
      `select column_name as name from information_schema.columns where table_name = 'orders' and is_nullable = 'NO'
         and column_default is null and is_generated = 'NEVER'`,
    )
    const missing = totals.map(({ name }) => String(name)).filter((name) => !columns.match(new RegExp(`\\b${name}\\b`)))
    const copied = [...columns.split(/,\s+/), ...missing]
    const values = copied.map((name) => {
      if (name === 'id') return "'ord_' || n"
      if (name === 'number') return "'X-' || n"
      if (name === 'email') return "'shopper' || n || '@example.com'"
      return name
    })
    await shop.run(
      `insert into orders (${copied.join(', ')}) select ${values.join(', ')} from orders, generate_series(1, 20000) as n
       where id = $1`,
      [order.id],
    )
    await shop.run(
      `insert into customers (id, email, email_key, password_hash, password_changed_at, first_name, last_name, locale,
         marketing_consent, accepted_documents, confirmed_at, created_at, updated_at)
       select 'cus_' || n, 'c' || n || '@example.com', 'c' || n || '@example.com', password_hash, password_changed_at,
         'First ' || n, 'Last ' || n, locale, false, accepted_documents, confirmed_at, created_at, updated_at
       from customers, generate_series(1, 20000) as n`,
    )
    await shop.run(
      `insert into product_texts (product_id, locale, name) select product_id, 'x' || n, 'Thing ' || n
       from (select product_id from product_texts limit 1) as one, generate_series(1, 20000) as n`,
    )
    await shop.run(
      `insert into skus (id, product_id, code, option_key, position, created_at, updated_at)
       select 'sku_' || n, product_id, 'CODE-' || n, 'x=' || n, n, created_at, updated_at
       from (select * from skus limit 1) as one, generate_series(1, 20000) as n`,
    )
    await analyze(shop.ownerUrl, 'orders', 'customers', 'product_texts', 'skus')
    const explained = async (found: { name: string; text: string }, given: readonly unknown[]) => {
      const explain = statement<object>(`test.explain ${found.name}`, `explain (format json) ${found.text}`)
      return JSON.stringify(await shop.database.reader.row(explain, given))
    }
    const orders = await explained(ordersByText, ['test', 'X-12', 'X-12\u{10ffff}', 'x-12', 'x-12\u{10ffff}', 5, null])
    for (const index of ['number', 'email', 'recipient'])
      assert.match(orders, new RegExp(`orders_by_${index}_beginning`))
    assert.doesNotMatch(orders, /Seq Scan/)
    const products = await explained(productsByText, ['code-1', 'code-1\u{10ffff}', '%hing 19999%', 5, null])
    assert.match(products, /skus_by_code_beginning.*product_texts_by_name/)
    const customers = await explained(customersByText, ['c1', 'c1\u{10ffff}', 5])
    for (const index of ['email', 'first_name', 'last_name']) {
      assert.match(customers, new RegExp(`customers_by_${index}_beginning`))
    }
    assert.doesNotMatch(customers, /Seq Scan/)
  })
})
