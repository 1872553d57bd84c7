import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { ADDRESS, orderedBy } from '../../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
})

const CONFIRMED = '/mail-templates/orders.confirmed/en'
const WORDS = {
  subject: 'Order {{order.number}} of {{site.name}}',
  heading: 'Thank you, {{customer.name}}!',
  introduction: 'We pack your goods today.\n\nThe total is {{order.total}}.',
  closing: 'Kind regards\nYour potters',
}
const get = async (path: string) => (await operator.get(path)).body.data

describe('the words of a mail', () => {
  test('are ours until an operator saves some, in every language, and each has a sample', async () => {
    const { items, languages } = await get('/mail-templates')
    assert.deepEqual(languages, ['en', 'de'])
    assert.ok(items.length >= 20, `${items.length} mails`)
    assert.equal(new Set(items.map(({ kind }: { kind: string }) => kind)).size, items.length, 'each kind is one mail')
    for (const { kind, source } of items) {
      assert.equal(source, 'default')
      for (const language of languages) {
        const { status, body } = await operator.send('POST', `/mail-templates/${kind}/${language}/preview`, {})
        assert.equal(status, 200, `${kind} ${JSON.stringify(body)}`)
        const { subject, text, html } = body.data
        assert.doesNotMatch(`${subject}${text}${html}`, /\{\{|undefined|<!--|\[object/)
        assert.match(html, new RegExp(`<html lang="${language}"`))
      }
    }
  })

  test('of a store are before those of the marketplace, and every version is kept', async () => {
    const ofMarket = await operator.change('PUT', CONFIRMED, { words: WORDS, expectedVersion: 0 })
    assert.deepEqual([ofMarket.version, ofMarket.source, ofMarket.words], [1, 'marketplace', WORDS])
    const ofStore = await get(`${CONFIRMED}?storeSlug=ceramics`)
    assert.deepEqual([ofStore.version, ofStore.source, ofStore.words], [0, 'marketplace', WORDS])

    const own = { ...WORDS, heading: 'Thanks!' }
    const saved = await operator.change('PUT', CONFIRMED, { storeSlug: 'ceramics', words: own, expectedVersion: 0 })
    assert.deepEqual([saved.source, saved.words, saved.inherited], ['store', own, WORDS])
    const taken = await operator.change('PUT', CONFIRMED, { storeSlug: 'ceramics', expectedVersion: 1 })
    assert.deepEqual([taken.version, taken.source, taken.words], [2, 'marketplace', WORDS])
    assert.deepEqual(
      taken.versions.map(({ version, words }: { version: number; words?: unknown }) => [version, words]),
      [
        [2, undefined],
        [1, own],
      ],
    )
    const stale = await operator.send('PUT', CONFIRMED, { storeSlug: 'ceramics', words: own, expectedVersion: 1 })
    assert.deepEqual([stale.status, stale.body.conflict.currentVersion], [409, 2])
  })

  test('are in the mails of orders, filled once, in their language only', async () => {
    await operator.change('PUT', CONFIRMED, { words: { ...WORDS, closing: 'Yours, {{customer.name}}' } })
    const client = await checkoutClient(shop)
    const recipientName = '{{order.total}} <b>Ada</b>'
    await orderedBy(shop, client, { MUG: 2 }, { shippingAddress: { ...ADDRESS, recipientName } })
    await orderedBy(shop, client, { MUG: 2 }, { locale: 'de' })
    const mails = await shop.mails()
    const [english, german] = ['Order', 'Deine'].map((word) => mails.find(({ subject }) => subject.includes(word)))
    assert.match(english!.subject, /^\[Test\] Order T-\d+ of Vitrine$/)
    assert.match(english!.text, /^Thank you, \{\{order\.total\}\} <b>Ada<\/b>!\n\nWe pack your goods today\.$/m)
    assert.match(english!.text, /^The total is €\d+\.\d\d\.$/m)
    assert.match(english!.text, /^Yours, \{\{order\.total\}\} <b>Ada<\/b>$/m)
    assert.match(german!.subject, /^\[Test\] Deine Bestellung T-\d+ ist bestätigt$/)
  })

  test('are refused with the place of each fault', async () => {
    const words = {
      subject: 'Order {{order.numer}}',
      heading: 'Hello {{customer.name',
      introduction: 'Dear customer,\n<b>thank you</b>',
      closing: '',
    }
    for (const path of ['', '/preview']) {
      const { status, body } = await operator.send(path ? 'POST' : 'PUT', `${CONFIRMED}${path}`, { words })
      assert.equal(status, 400)
      assert.deepEqual(
        body.details.map(({ pointer, code, message }: Record<string, string>) => [pointer, code, message]),
        [
          [
            '/words/subject',
            'unknown_placeholder',
            '{{order.numer}} in line 1, column 7, is not a placeholder of this email. It has: site.name, customer.name, order.number, order.date, order.total.',
          ],
          [
            '/words/heading',
            'malformed',
            '{{ in line 1, column 7, has no counterpart. A placeholder looks like {{site.name}}.',
          ],
          ['/words/introduction', 'html', '<b> in line 2, column 1, is HTML. Write plain text.'],
        ],
      )
    }
  })

  test('name what each placeholder stands for', async () => {
    const { placeholders } = await get('/mail-templates/orders.refunded/de')
    const examples = new Map(placeholders.map(({ name, example }: Record<string, string>) => [name, example]))
    assert.equal(examples.get('customer.name'), 'Ada Beispiel')
    assert.match(String(examples.get('refund.amount')), /^9,00\s€$/)
  })

  test('are listed with subjects in the language that is asked for', async () => {
    const subjectIn = async (language: string) => {
      const { items } = await get(`/mail-templates?language=${language}`)
      return items.find(({ kind }: { kind: string }) => kind === 'accounts.reset').subject
    }
    assert.deepEqual(await Promise.all(['en', 'de'].map(subjectIn)), ['Choose a new password', 'Passwort zurücksetzen'])
  })

  test('404 not_found: for an unknown mail or language, and for a mail that no store sends', async () => {
    for (const path of [
      '?language=fr',
      '/nothing.such/en',
      '/orders.confirmed/fr',
      '/accounts.reset/en?storeSlug=ceramics',
    ]) {
      assert.equal((await operator.get(`/mail-templates${path}`)).status, 404, path)
    }
  })
})

describe('the letterhead of a mail', () => {
  test('has the legal details of its seller in the language of the mail: of the store, or of the marketplace', async () => {
    const record = {
      legalName: 'Harbor Goods GmbH',
      address: { line1: 'Am Hafen 1', postalCode: '20457', city: 'Hamburg' },
      country: 'DE',
      vatIds: [
        { country: 'FR', id: 'FR40303265045' },
        { country: 'DE', id: 'DE136695976' },
      ],
      registration: 'Amtsgericht Hamburg, HRB 12345',
      representative: 'Ada <Example>',
      email: 'office@harbor.example',
    }
    await operator.change('PUT', '/seller-record', record)
    const preview = async (language: string, body: object) =>
      (await operator.send('POST', `/mail-templates/orders.confirmed/${language}/preview`, body)).body.data
    assert.match(
      (await preview('de', { storeSlug: 'ceramics' })).text,
      /^Harbor Goods GmbH\nAm Hafen 1, 20457 Hamburg, Deutschland\nAmtsgericht Hamburg, HRB 12345\nVertreten durch Ada <Example>\nUSt-IdNr\.: DE136695976, FR40303265045$/m,
    )
    const american = {
      ...record,
      legalName: 'Harbor Goods Inc.',
      address: { line1: '1 Pier', postalCode: '11231', city: 'Brooklyn', region: 'NY' },
      country: 'US',
      vatIds: [],
    }
    await operator.change('PUT', '/seller-record', { ...american, storeSlug: 'ceramics' })
    const { text, html } = await preview('en', { storeSlug: 'ceramics' })
    assert.match(text, /^Harbor Goods Inc\.\n1 Pier, Brooklyn NY 11231, United States\n/m)
    assert.doesNotMatch(text, /VAT ID/)
    assert.match(html, /Represented by Ada &lt;Example&gt;/)
    assert.match((await preview('en', {})).text, /^VAT ID: DE136695976, FR40303265045$/m)
  })
})

describe('a test mail', () => {
  test('goes to operators only, with the words that are not saved yet', async () => {
    const refused = await operator.send('POST', `${CONFIRMED}/test`, { recipient: 'stranger@example.com' })
    assert.deepEqual([refused.status, refused.body.details[0].pointer], [400, '/recipient'])
    assert.equal((await operator.send('POST', `${CONFIRMED}/test`, {})).status, 400)
    await operator.change('POST', '/operators', {
      email: 'me@operator.example',
      role: 'owner',
      password: 'a long phrase of mine',
    })
    const words = { ...WORDS, heading: 'A draft' }
    await operator.change('POST', `${CONFIRMED}/test`, {
      storeSlug: 'ceramics',
      words,
      recipient: 'me@operator.example',
    })
    const mail = (await shop.mails()).find(({ recipient }) => recipient === 'me@operator.example')
    assert.match(mail!.subject, /^\[Test\] Order V-10001 of /)
    assert.match(mail!.text, /^A draft$/m)
  })
})

describe('the sender of mails', () => {
  test('is the store at the address of the installation, with answers to the store, until one is saved', async () => {
    const { from } = await get('/mail-sender?storeSlug=ceramics')
    assert.match(from, /^Ceramics <no-reply@.+>$/)
    const body = {
      storeSlug: 'ceramics',
      name: 'Potters',
      address: 'shop@potters.example',
      replyTo: 'hi@potters.example',
    }
    const saved = await operator.change('PUT', '/mail-sender', { ...body, expectedVersion: 0 })
    assert.deepEqual(
      [saved.from, saved.answersTo, saved.version],
      ['Potters <shop@potters.example>', 'hi@potters.example', 1],
    )
    const { from: shown, replyTo } = (await operator.send('POST', `${CONFIRMED}/preview`, { storeSlug: 'ceramics' }))
      .body.data
    assert.deepEqual([shown, replyTo], ['Potters <shop@potters.example>', 'hi@potters.example'])
    assert.equal((await operator.send('PUT', '/mail-sender', { ...body, expectedVersion: 0 })).status, 409)
  })

  test('is refused where it would break a header', async () => {
    const body = { name: 'A\r\nBcc: x@y.example', address: 'nobody', replyTo: 'a@b.example, c@d.example' }
    const refused = await operator.send('PUT', '/mail-sender', body)
    const pointers = refused.body.details.map(({ pointer }: Record<string, string>) => pointer)
    assert.deepEqual([refused.status, pointers], [400, ['/address', '/replyTo', '/name']])
  })
})
