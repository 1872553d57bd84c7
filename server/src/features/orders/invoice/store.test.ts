import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bought, context, decide, postCancellation } from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { changeOrder, draftOf, orderedBy, PAGES_URL } from '../../../../../test/support/commerce/orders.ts'
import { paidFor } from '../../../../../test/support/commerce/paid-orders.ts'
import { saveSeller } from '../../../../../test/support/commerce/sellers.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { attachedInvoices, chargeCaptured, invoicesOfOrder, placeOrder, refundByOperator } from '../index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const issued = async (orderId: string) =>
  (await invoicesOfOrder(shop.database.reader, orderId)).map(({ kind, number, seller, total }) => {
    return [kind, number, seller.legalName, Number(total)]
  })

describe('invoices', () => {
  test('are not issued before the seller has legal details, and without an invoice there is no credit note', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 1n }, by))
    assert.deepEqual(await issued(order.id), [])
  })

  test('are issued once per seller of an order; a store without legal details sells for the marketplace', async () => {
    await saveSeller(shop)
    const together = await bought(shop, client, { MUG: 2, NOVEL: 1 })
    const { amount } = together.totals.total
    assert.deepEqual(await issued(together.id), [['invoice', 'T-2026-00001', 'Harbor Goods GmbH', amount]])

    await saveSeller(shop, { storeId: shop.storeId('books'), legalName: 'Books UG' })
    const order = await bought(shop, client, { MUG: 2, NOVEL: 1 })
    const sums = new Map(order.totals.byStore.map(({ storeId, total }) => [storeId, total.amount]))
    assert.deepEqual(
      (await issued(order.id)).toSorted((one, other) => String(one[1]).localeCompare(String(other[1]))),
      [
        ['invoice', 'T-2026-00001', 'Books UG', sums.get(shop.storeId('books'))],
        ['invoice', 'T-2026-00002', 'Harbor Goods GmbH', sums.get(shop.storeId('ceramics'))],
      ],
    )
  })

  test('are credited by every cancellation and refund, until nothing is left', async () => {
    const order = await bought(shop, client, { MUG: 3, NOVEL: 1 })
    await decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 100n }, by))
    assert.equal((await postCancellation(client, order.id)).status, 200)
    const documents = await invoicesOfOrder(shop.database.reader, order.id)
    const sums = Map.groupBy(documents, ({ sellerId }) => sellerId)
    assert.equal(sums.size, 2)
    for (const own of sums.values()) {
      const [invoice, ...credits] = own.toSorted((one, other) => other.kind.localeCompare(one.kind))
      assert.equal(
        invoice!.total,
        credits.reduce((sum, { total }) => sum + total, 0n),
      )
      for (const credit of credits) assert.equal(credit.corrected?.number, invoice!.number)
    }
  })

  test('are issued when a payment is captured, and a credit note corrects the uncaptured part', async () => {
    const { id, totals } = await orderedBy(shop, client, { MUG: 2 }, { charge: 'authorized' })
    assert.deepEqual(await issued(id), [])
    const captured = { amount: 1000n, releaseReference: shop.ids.next('rel') }
    await changeOrder(shop, id, (order) => chargeCaptured(order, captured, { now: shop.clock.now(), actor: 'system' }))
    const [invoice, credit] = await issued(id)
    assert.deepEqual([invoice![0], invoice![3], credit![0]], ['invoice', totals.total.amount, 'credit_note'])
    assert.equal(Number(invoice![3]) - Number(credit![3]), 1000)
  })

  test('have numbers without gaps or duplicates: fifty orders at once, some of which roll back or lose their connection', async () => {
    const draft = await draftOf(shop, client, { MUG: 1, NOVEL: 1 })
    const undone = new Error('undone')
    const attempts = Array.from({ length: 50 }, (_, index) => {
      if (index % 5 !== 4) return paidFor(shop, draft)
      const another = { ...draft, sessionId: shop.ids.next('cks'), chargeId: shop.ids.next('pay') }
      return shop.database.transaction(async (tx) => {
        await placeOrder(tx, another, { ...context(shop), pagesUrl: PAGES_URL })
        // Ends the connection as a crash of the process would.
        if (index % 10 === 9)
          await tx.rows({ name: 'die', text: 'select pg_terminate_backend(pg_backend_pid())' } as never)
        throw undone
      })
    })
    const results = await Promise.allSettled(attempts)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 40)
    const rows = await shop.query(
      `select seller_id, kind, count(*)::int as documents, min(sequence) as first, max(sequence) as last,
         count(distinct sequence)::int as numbers from invoices group by seller_id, kind`,
    )
    assert.equal(rows.length, 4)
    for (const { documents, first, last, numbers } of rows)
      assert.deepEqual([first, last, numbers], [1, documents, documents])
  })

  test('have a PDF that is created once, stored, and downloaded by the operator', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const operator = await operatorClient(shop)
    const [listed] = (await operator.get(`/orders/${order.id}/invoices`)).body.data.items
    const download = () =>
      fetch(`${operator.origin}/operator/v1/invoices/${listed.id}/pdf`, {
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      }).then(async (response) => {
        assert.equal(response.headers.get('content-type'), 'application/pdf')
        return Buffer.from(await response.arrayBuffer())
      })
    const [one, other] = await Promise.all([download(), download()])
    assert.ok(one.equals(other) && one.equals(await download()))
    const [kept] = await shop.query('select pdf, sha256 from invoice_files where invoice_id = $1', [listed.id])
    assert.deepEqual(kept!.pdf, one)
    await assert.rejects(shop.run('delete from invoice_files'), /never changed/)
  })

  test('are attached to mails: all documents of an order, or the credit note of a refund', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { reference } = await decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 1n }, by))
    const [invoice, credit] = await invoicesOfOrder(shop.database.reader, order.id)
    const filesOf = async (attached: string) =>
      (await attachedInvoices(shop.database, attached, shop.clock.now())).map(({ filename, content }) => {
        assert.ok(content.toString('latin1', 0, 5) === '%PDF-')
        return filename
      })
    assert.deepEqual(await filesOf(order.id), [`${invoice!.number}.pdf`, `${credit!.number}.pdf`])
    assert.deepEqual(await filesOf(`${order.id}/${reference}`), [`${credit!.number}.pdf`])
  })

  test('are never changed or deleted, and their counters never go back', async () => {
    for (const change of ['update invoices set total = 1', 'delete from invoices'])
      await assert.rejects(shop.run(change), /never changed/, change)
    await assert.rejects(shop.run('truncate invoices cascade'), /permission denied|never changed/)
    for (const change of ['update invoice_counters set last = 1', 'delete from invoice_counters'])
      await assert.rejects(shop.run(change), /only grows/, change)
  })
})
