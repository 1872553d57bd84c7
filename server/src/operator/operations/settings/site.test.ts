import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const pointers = (body: { details: readonly { pointer: string }[] }) => body.details.map(({ pointer }) => pointer)
const lastEntry = async (subject: string) =>
  (await operator.get(`/audit-log?subject=${subject}&limit=1`)).body.data.items[0]

describe('the site', () => {
  test('has a default name, and an audit entry for each change', async () => {
    assert.deepEqual((await operator.get('/site')).body.data, { name: 'Vitrine', version: 0 })
    const saved = await operator.change('PUT', '/site', { name: 'Harbor Goods', locales: ['en'], expectedVersion: 0 })
    assert.deepEqual([saved.name, saved.locales, saved.version], ['Harbor Goods', ['en'], 1])
    shop.clock.advance(1000)
    await operator.change('PUT', '/site', { name: 'Harbor Goods', expectedVersion: 1 })
    const { before: was, after: is } = await lastEntry('site')
    assert.deepEqual([was, is], [{ locales: ['en'] }, { locales: null }])
    const stale = await operator.send('PUT', '/site', { name: 'Other', expectedVersion: 1 })
    assert.deepEqual([...codeOf(stale), stale.body.conflict.currentVersion], [409, 'version_conflict', 2])
    assert.deepEqual(pointers((await operator.send('PUT', '/site', {})).body), ['/name'])
  })
})

describe('contact channels', () => {
  const channel = { id: 'mail', type: 'email', label: 'Service', value: 'help@shop.example', languages: ['en'] }

  test('are saved for each language, and removed by an empty list', async () => {
    await operator.change('PUT', '/contact-lists/en', { channels: [channel] })
    assert.deepEqual((await operator.get('/contact-lists')).body.data.items, [{ locale: 'en', channels: [channel] }])
    shop.clock.advance(1000)
    await operator.change('PUT', '/contact-lists/en', { channels: [] })
    assert.deepEqual((await operator.get('/contact-lists')).body.data.items, [])
    const { before: was, after: is } = await lastEntry('en')
    assert.deepEqual([was, is], [{ mail: channel }, { mail: null }])
  })

  test('name the channel with a duplicate id', async () => {
    const refused = await operator.send('PUT', '/contact-lists/en', { channels: [channel, channel] })
    assert.deepEqual([refused.status, pointers(refused.body)], [400, ['/channels/1/id']])
  })
})

describe('legal documents', () => {
  const terms = {
    type: 'terms_of_use',
    version: '2026-01',
    locale: 'en',
    title: 'Terms of use',
    content: { format: 'markdown', text: '# Terms\n\nBe kind.' },
  }

  test('are published, read with their texts, and immutable', async () => {
    const { result, document } = await operator.change('POST', '/legal-documents', terms)
    assert.deepEqual([result, document.standing, document.locales], ['published', 'in_force', ['en']])
    assert.equal((await operator.change('POST', '/legal-documents', terms)).result, 'unchanged')
    const german = { ...terms, locale: 'de', title: 'Nutzungsbedingungen' }
    assert.deepEqual((await operator.change('POST', '/legal-documents', german)).document.locales, ['de', 'en'])
    const read = (await operator.get(`/legal-documents/${document.id}`)).body.data
    assert.deepEqual(read.texts.map(({ title }: { title: string }) => title).toSorted(), [
      'Nutzungsbedingungen',
      'Terms of use',
    ])
    const other = { ...terms, content: { format: 'plain', text: 'Be unkind.' } }
    const refused = await operator.send('POST', '/legal-documents', other)
    assert.deepEqual([refused.status, pointers(refused.body)], [400, ['/version']])
    const log = JSON.stringify((await operator.get(`/audit-log?subject=${document.id}`)).body)
    assert.ok(!log.includes('Be kind.'), 'the audit log does not repeat the text')
  })

  test('of a store are separate; a future one replaces the one in force when it takes effect', async () => {
    const of = { ...terms, storeSlug: 'ceramics', version: '1' }
    const first = (await operator.change('POST', '/legal-documents', of)).document
    const effectiveAt = new Date(shop.clock.now().getTime() + 86_400_000).toISOString()
    const next = await operator.change('POST', '/legal-documents', { ...of, version: '2', effectiveAt })
    assert.equal(next.document.standing, 'to_come')
    shop.clock.advance(86_400_000)
    const standings = async () => {
      const { items } = (await operator.get('/legal-documents?storeSlug=ceramics')).body.data
      return items.map(({ version, standing }: { version: string; standing: string }) => [version, standing])
    }
    assert.deepEqual(await standings(), [
      ['2', 'in_force'],
      ['1', 'replaced'],
    ])
    const { items } = (await operator.get('/legal-documents')).body.data
    assert.ok(!items.some(({ id }: { id: string }) => id === first.id), "the marketplace's own stand apart")
    const storeOf = async (id: string) => (await operator.get(`/legal-documents/${id}`)).body.data.store
    assert.deepEqual([await storeOf(first.id), await storeOf(items[0].id)], ['ceramics', null])
  })

  test('refuse an unknown store, an unknown version, and raw HTML', async () => {
    assert.deepEqual(codeOf(await operator.get('/legal-documents?storeSlug=unknown')), [404, 'not_found'])
    const absent = await operator.get('/legal-documents/leg_01k5b7m2q8e9rtv3w4x5y6z7a8')
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
    const nowhere = await operator.send('POST', '/legal-documents', { ...terms, storeSlug: 'nobody' })
    assert.deepEqual(codeOf(nowhere), [404, 'not_found'])
    const html = { ...terms, version: 'x', content: { format: 'markdown', text: '<b>Bold</b>' } }
    assert.deepEqual(pointers((await operator.send('POST', '/legal-documents', html)).body), ['/content/text'])
  })
})

describe('the legal details of a seller', () => {
  const details = {
    legalName: 'Harbor Goods GmbH',
    address: { line1: 'Am Hafen 1', postalCode: '20457', city: 'Hamburg' },
    country: 'DE',
    vatIds: [{ country: 'DE', id: 'DE136695976' }],
    email: 'office@harbor.example',
    timeZone: 'Europe/Berlin',
  }

  test('are saved for the marketplace and for each store, in versions that are in the audit log', async () => {
    assert.deepEqual((await operator.get('/seller-record')).body.data, { version: 0 })
    assert.deepEqual(await operator.change('PUT', '/seller-record', details), { ...details, version: 1 })
    const own = {
      ...details,
      legalName: 'Ceramics UG',
      registration: 'HRB 1',
      storeSlug: 'ceramics',
      expectedVersion: 0,
    }
    await operator.change('PUT', '/seller-record', own)
    const { legalName, version } = (await operator.get('/seller-record?storeSlug=ceramics')).body.data
    assert.deepEqual([legalName, version], ['Ceramics UG', 1])
    shop.clock.advance(1000)
    const renamed = { ...details, legalName: 'Harbor AG', expectedVersion: 1 }
    assert.equal((await operator.change('PUT', '/seller-record', renamed)).version, 2)
    const { before, after } = await lastEntry('marketplace')
    assert.deepEqual([before, after], [{ legalName: 'Harbor Goods GmbH' }, { legalName: 'Harbor AG' }])
  })

  test('are refused with an old version, an unknown store, two numbers of one country, or an unknown time zone', async () => {
    const old = { ...details, expectedVersion: 1 }
    assert.deepEqual(codeOf(await operator.send('PUT', '/seller-record', old)), [409, 'version_conflict'])
    const nowhere = await operator.send('PUT', '/seller-record', { ...details, storeSlug: 'nowhere' })
    assert.deepEqual(codeOf(nowhere), [404, 'not_found'])
    const repeated = { ...details, vatIds: [...details.vatIds, ...details.vatIds] }
    assert.deepEqual(pointers((await operator.send('PUT', '/seller-record', repeated)).body), ['/vatIds/1/country'])
    // PostgreSQL knows it, `Intl` does not.
    const ofSystem = { ...details, timeZone: 'posix/Europe/Berlin' }
    assert.deepEqual(pointers((await operator.send('PUT', '/seller-record', ofSystem)).body), ['/timeZone'])
    const nowhen = { ...details, timeZone: 'Europe/Nowhere' }
    assert.deepEqual(pointers((await operator.send('PUT', '/seller-record', nowhen)).body), ['/timeZone'])
  })
})
