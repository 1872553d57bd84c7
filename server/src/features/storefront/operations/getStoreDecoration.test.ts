import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { LOOK, siteOf } from '../../../../../test/support/pages/site.ts'

const path = (slug: string, query = '') => `/api/v1/storefront-decorations/merchants/${slug}${query}`
let shop: Shop
let site: ReturnType<typeof siteOf>
let ceramics: ReturnType<Shop['storeId']>
before(async () => {
  shop = await startShop()
  site = siteOf(shop)
  ceramics = shop.storeId('ceramics')
})

const [home] = LOOK.pages.en!

describe('getStoreDecoration', () => {
  test('404 not_found: no such store, a suspended one, or one without a published decoration', async () => {
    await site.draft(shop.storeId('books'))
    const answers = await Promise.all(['nobody', 'books'].map((slug) => shop.anonymous.get(path(slug))))
    for (const answer of answers) assertRefused(answer, 404, 'not_found')
    const [first, second] = answers.map(({ body: { requestId: _, ...body } }) => body)
    assert.deepEqual(first, second)
  })

  test('200 returns the published decoration in the best matching language, with that language', async () => {
    await site.draft(ceramics, { ...LOOK, pages: { en: [home!], de: [{ ...home!, title: 'Willkommen' }] } })
    await site.publishDecorationDraft(ceramics)

    const german = await shop.anonymous.get(path('ceramics', '?locale=de-AT'))
    const preferred = await shop.anonymous.get(path('ceramics'), { headers: { 'accept-language': 'fr, en;q=0.5' } })
    assert.deepEqual([german.body.data.locale, german.body.data.pages[0].title], ['de', 'Willkommen'])
    assert.deepEqual([preferred.body.data.locale, preferred.body.data.version], ['en', 1])
  })

  test('200 keeps body and ETag until another version is published', async () => {
    const before = await shop.anonymous.get(path('ceramics'))
    const etag = before.headers.get('etag')!
    await site.draft(ceramics)
    const again = await shop.anonymous.get(path('ceramics'), { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)

    await site.publishDecorationDraft(ceramics)
    const after = await shop.anonymous.get(path('ceramics'), { headers: { 'if-none-match': etag } })
    assert.deepEqual([after.status, after.body.data.version], [200, 2])
  })

  test('200 for a gated store: decorations are public', async () => {
    await shop.run(`update stores set access_mode = 'challenge' where slug = 'ceramics'`)
    assert.equal((await shop.anonymous.get(path('ceramics'))).status, 200)
  })

  test('404 not_found once the store is suspended', async () => {
    await shop.run(`update stores set status = 'suspended' where slug = 'ceramics'`)
    await shop.run(
      `insert into revisions (subject, revision) values ('stores', 1) on conflict (subject) do update set revision = revisions.revision + 1`,
    )
    await shop.refresh()
    assertRefused(await shop.anonymous.get(path('ceramics')), 404, 'not_found')
  })
})
