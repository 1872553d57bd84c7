// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { begunSession, checkoutClient, readSession, waitsForTransfer } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { assertFitsEveryWindow } from '../support/pages/browser.ts'
import { setUp, type Watched } from '../support/pages/console.ts'
import type { InstallationClient } from '../support/world.ts'

let shop: Shop
let client: InstallationClient
let operator: Watched
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  operator = await setUp(shop)
})

/** A bowl of €26.90. */
async function waiting() {
  const session = await begunSession(shop, client, { BOWL: 1 })
  return { session, reference: (await waitsForTransfer(shop, session)).slice(-10).toUpperCase() }
}

describe('an operator with a bank statement', () => {
  test('previews each line, corrects a column, books the lines, and finds the surplus to be paid back', async () => {
    const { page, open, rests } = operator
    const [paid, over, under] = [await waiting(), await waiting(), await waiting()]
    await waiting()
    const rows = [
      'Buchungstag;Zweck;Verwendungszweck;Beguenstigter;Betrag;Waehrung',
      `30.11.2026;${paid.reference};Danke;Ada Lovelace;26,90;EUR`,
      `30.11.2026;Bestellung ${over.reference.toLowerCase()};Danke;Grace Hopper;30,00;EUR`,
      `30.11.2026;${under.reference};Danke;Alan Turing;20,00;EUR`,
      '29.11.2026;ohne Referenz;Danke;Konrad Zuse;26,90;EUR',
      '29.11.2026;Strom;Strom;Stadtwerke;-80,00;EUR',
    ]
    await open('/transfers?environment=test')
    assert.equal(await page.locator('tbody tr').count(), 4)
    await assertFitsEveryWindow(page)
    await page.click('text=Upload bank statement')
    const file = { name: 'umsatz.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n'), 'utf8') }
    await page.setInputFiles('#statement-file', file)
    await page.waitForSelector('text=Nothing to book')
    await page.click('summary:has-text("Columns")')
    await page.selectOption('[name=purpose]', 'Zweck')
    await page.click('text=Read again')
    await page.waitForSelector('text=Book 3 lines')
    assert.equal((await readSession(client, paid.session.id)).status, 'requires_action')
    const text = await page.textContent('main')
    for (const shown of ['Overpaid', '€3.10 to pay back', 'Underpaid', '€6.90 missing', 'Possibly']) {
      assert.ok(text?.includes(shown), shown)
    }
    await assertFitsEveryWindow(page)
    await page.click('text=Book 3 lines')
    await page.waitForSelector('text=3 lines were booked.')
    await rests()
    assert.deepEqual(await operator.errors(), [])
    assert.equal((await readSession(client, paid.session.id)).status, 'completed')
    assert.equal((await readSession(client, over.session.id)).status, 'completed')
    assert.equal((await readSession(client, under.session.id)).status, 'requires_action')

    await open('/transfers?environment=test&view=to_return')
    await page.click('text=Mark as paid back')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.waitForSelector('.empty')
    await rests()
    assert.equal(await page.locator('tbody tr').count(), 0)
  })

  test('is asked for the order of day and month where a file does not tell, and sees the dates before booking', async () => {
    const { page, open } = operator
    const { reference } = await waiting()
    const text = `Date,Reference,Amount\n05/11/2026,${reference},26.90`
    await open('/transfers/statement?environment=test')
    const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') }
    await page.setInputFiles('#statement-file', file)
    await page.waitForSelector('.notice.bad')
    await page.selectOption('[name=dates]', 'mdy')
    await page.click('text=Read again')
    await page.waitForSelector('text=Book 1 line')
    assert.match((await page.textContent('main')) ?? '', /May 11, 2026/)
  })

  test('can choose the same file again after an upload that was lost', async () => {
    const { page, open } = operator
    const { reference } = await waiting()
    const text = `Buchungstag;Verwendungszweck;Beguenstigter;Betrag;Waehrung\n30.11.2026;${reference};Ada;26,90;EUR`
    const file = { name: 'umsatz.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') }
    await open('/transfers/statement?environment=test')
    const input = page.locator('#statement-file')
    const choose = async () => {
      const choosing = page.waitForEvent('filechooser')
      await input.click()
      const chooser = await choosing
      // A browser reports a file only if it is not the one in the input.
      assert.equal(await input.inputValue(), '')
      await chooser.setFiles(file)
    }
    await page.route('**/bank-statements/preview*', (route) => route.abort())
    await choose()
    await page.waitForSelector('.notice.bad')
    await page.unroute('**/bank-statements/preview*')
    await choose()
    await page.waitForSelector('text=Book 1 line')
  })
})
