import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { siteOf, TERMS } from '../../../../../test/support/pages/site.ts'

let shop: Shop
let site: ReturnType<typeof siteOf>
let clock: Shop['clock']
before(async () => {
  shop = await startShop()
  site = siteOf(shop)
  ;({ clock } = shop)
})

const path = '/api/v1/legal/documents'
const DAY_MS = 86_400_000
const list = async (query = '', language?: string) =>
  (await shop.anonymous.get(path + query, language ? { headers: { 'accept-language': language } } : {})).body.data

describe('listLegalDocuments', () => {
  test('200 with an empty list if nothing is published', async () => {
    assert.deepEqual(await list(), [])
  })

  test('200 returns a document with the SHA-256 of its text', async () => {
    await site.publish()
    const [document] = await list('?locale=en')
    const now = clock.now().toISOString()
    assert.deepEqual(document, {
      ...TERMS,
      requestedLocale: 'en',
      fallback: false,
      sha256: createHash('sha256').update(TERMS.content.text).digest('hex'),
      effectiveAt: now,
      publishedAt: now,
    })
  })

  test('200 marks a fallback, with requested and served language', async () => {
    const [document] = await list('?locale=de-AT')
    assert.deepEqual([document.locale, document.requestedLocale, document.fallback], ['en', 'de-AT', true])

    await site.publish({ locale: 'de', title: 'Nutzungsbedingungen' })
    const [now] = await list('?locale=de-AT')
    assert.deepEqual([now.locale, now.requestedLocale, now.fallback], ['de', 'de-AT', false])
    const [preferred] = await list('', 'fr, de;q=0.8')
    assert.deepEqual([preferred.locale, preferred.requestedLocale, preferred.fallback], ['de', 'fr', true])
  })

  test('200 returns the version in force, and the next one once it takes effect', async () => {
    const effectiveAt = new Date(clock.now().getTime() + DAY_MS)
    await site.publish({ version: '2026-12-01', title: 'New terms' }, { effectiveAt })
    assert.equal((await list())[0].version, '2026-03-01')

    clock.advance(DAY_MS)
    await shop.work()
    await shop.refresh()
    const [english] = await list('?locale=en')
    assert.deepEqual([english.version, english.effectiveAt], ['2026-12-01', effectiveAt.toISOString()])
  })

  test('200 prefers the version in force in another language to an older one in the right language', async () => {
    const [german] = await list('?locale=de')
    assert.deepEqual([german.version, german.locale, german.fallback], ['2026-12-01', 'en', true])
  })

  test('200 lists each type once, in the order of the contract, without documents of stores', async () => {
    await site.publish({ type: 'imprint' })
    await site.publish({ type: 'privacy_policy' })
    await site.publish({ type: 'return_policy' }, { storeId: shop.storeId('ceramics') })
    const types = (await list()).map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['terms_of_use', 'privacy_policy', 'imprint'])
  })

  test('200 in the language that bootstrap names, like its links and the contact channels, if no other is asked for', async () => {
    // No store offers the first language of the site.
    await site.settings({ name: 'Markt', locales: ['fr', 'de'] })
    const mail = { id: 'mail', type: 'email' as const, value: 'help@example.com', languages: ['en'] }
    for (const locale of ['en', 'fr', 'de']) {
      await site.publish({ type: 'cookie_policy', locale, title: `Cookies (${locale})` })
      await site.contact(locale, [{ ...mail, label: `Help (${locale})` }])
    }
    for (const language of [undefined, 'ja']) {
      const headers = language ? { 'accept-language': language } : {}
      const read = async (at: string) => (await shop.anonymous.get(at, { headers })).body.data
      const { defaults, links } = await read('/api/v1/bootstrap')
      assert.equal(defaults.locale, 'de')
      const titles = [links.legal, await list('', language)].map((documents: { type: string; title: string }[]) => {
        return documents.find(({ type }) => type === 'cookie_policy')?.title
      })
      assert.deepEqual(titles, ['Cookies (de)', 'Cookies (de)'])
      assert.equal((await read('/api/v1/public/contact'))[0].label, 'Help (de)')
    }
  })
})
