import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { siteOf } from '../../../../test/support/pages/site.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import {
  checkAcceptance,
  documentsByRevision,
  documentsToAccept,
  listLegalVersions,
  standingOfVersion,
} from './index.ts'

let shop: Shop
let site: ReturnType<typeof siteOf>
let database: Shop['database']
let clock: Shop['clock']
before(async () => {
  shop = await startShop()
  site = siteOf(shop)
  ;({ database, clock } = shop)
})

const DAY_MS = 86_400_000

describe('publishLegalDocument', () => {
  test('publishes a version language by language, and each text once', async () => {
    assert.equal(await site.publish({ type: 'imprint' }), 'published')
    assert.equal(await site.publish({ type: 'imprint', locale: 'de', title: 'Impressum' }), 'published')
    assert.equal(await site.publish({ type: 'imprint' }), 'unchanged')

    const versions = await listLegalVersions(database.reader, null)
    assert.deepEqual(
      versions.map(({ type, version, locales }) => [type, version, locales]),
      [['imprint', '2026-03-01', ['de', 'en']]],
    )
  })

  test('never changes a published text: code and database both refuse', async () => {
    const refusal = await refuses('validation_failed', () =>
      site.publish({ type: 'imprint', content: { format: 'plain', text: 'Somebody else.' } }),
    )
    assert.equal(refusal.facts.faults?.[0]?.code, 'already_published')
    for (const change of [
      'update legal_texts set title = title',
      'delete from legal_texts',
      'delete from legal_documents',
    ]) {
      await assert.rejects(shop.run(change), /what was published is never changed/, change)
    }
    await assert.rejects(
      shop.run(
        `insert into legal_texts select document_id, 'fr', title, format, body || '!', sha256, published_at
         from legal_texts limit 1`,
      ),
      /check/,
      'a hash that is not of its text',
    )
  })

  test('has one effective date for all languages of a version', async () => {
    await site.publish({ type: 'cookie_policy' }, { effectiveAt: clock.now() })
    const later = new Date(clock.now().getTime() + DAY_MS)
    const refusal = await refuses('validation_failed', () =>
      site.publish({ type: 'cookie_policy', locale: 'de' }, { effectiveAt: later }),
    )
    assert.equal(refusal.facts.faults?.[0]?.field, 'effectiveAt')
  })

  test('refuses raw HTML, an unknown type and an unknown member, each with its field', async () => {
    const html = await refuses('validation_failed', () =>
      site.publish({ version: 'x', content: { format: 'markdown', text: '<b>x</b>' } }),
    )
    assert.equal(html.facts.faults?.[0]?.field, 'content/text')
    const type = await refuses('validation_failed', () => site.publish({ type: 'manifesto' as 'imprint' }))
    assert.equal(type.facts.details?.[0]?.pointer, '/type')
    await refuses('unknown_field', () => site.publish({ zz: 1 } as object))
  })

  test('concurrent publishing of one version publishes it once', async () => {
    const wanted = { type: 'shipping_policy', version: 'race' } as const
    const results = await Promise.all([site.publish(wanted), site.publish(wanted), site.publish(wanted)])
    assert.deepEqual(results.toSorted(), ['published', 'unchanged', 'unchanged'])
  })
})

describe('documents of a store', () => {
  test('must be accepted with the marketplace’s by buyers of that store only', async () => {
    const [ceramics, books] = [shop.storeId('ceramics'), shop.storeId('books')]
    await site.publish({ version: 'm1' })
    await site.publish({ version: 'c1', title: 'Terms of Ceramics' }, { storeId: ceramics })
    const requiredOf = async (storeIds: string[]) =>
      (await documentsToAccept(database.reader, 'buying', { now: clock.now(), languages: ['en'], storeIds })).map(
        ({ title, version }) => [title, version],
      )

    assert.deepEqual(await requiredOf([books]), [['Terms of use', 'm1']])
    assert.deepEqual((await requiredOf([ceramics, books])).toSorted(), [
      ['Terms of Ceramics', 'c1'],
      ['Terms of use', 'm1'],
    ])
    const accepting = (storeIds: string[]) =>
      checkAcceptance(database.reader, [{ type: 'terms_of_use', version: 'm1' }], 'buying', {
        now: clock.now(),
        storeIds,
      })
    await accepting([books])
    await refuses('validation_failed', () => accepting([ceramics]))
  })
})

describe('a request that began before a version took effect, or on a node whose clock is behind', () => {
  const EARLIER_MS = 50
  /** What the checkout pages of a process show at a time. */
  const shown = () => {
    const load = documentsByRevision(shop.app.revisions)
    return async (now: Date) => {
      const documents = await load(database.reader, 'buying', { now, languages: ['en'] })
      return documents.find(({ type }) => type === 'privacy_policy')?.version
    }
  }

  test('shows a version that is published to take effect at once', async () => {
    await site.publish({ type: 'privacy_policy', version: 'p1' })
    clock.advance(DAY_MS)
    await site.publish({ type: 'privacy_policy', version: 'p2' })
    const versionAt = shown()
    assert.equal(await versionAt(new Date(clock.now().getTime() - EARLIER_MS)), 'p2')
    assert.equal(await versionAt(clock.now()), 'p2')
    const standings = (await listLegalVersions(database.reader, null))
      .filter(({ type }) => type === 'privacy_policy')
      .map((each, _, all) => standingOfVersion(each, all, new Date(clock.now().getTime() - EARLIER_MS)))
    assert.deepEqual(standings, ['in_force', 'replaced'])
  })

  test('shows the version before it for a few seconds at most', async () => {
    const effectiveAt = new Date(clock.now().getTime() + DAY_MS)
    await site.publish({ type: 'privacy_policy', version: 'p3' }, { effectiveAt })
    const versionAt = shown()
    const passes = async (milliseconds: number) => {
      clock.advance(milliseconds)
      await shop.work()
      await shop.refresh()
    }
    await passes(DAY_MS)
    assert.equal(await versionAt(new Date(effectiveAt.getTime() - EARLIER_MS)), 'p2')
    await passes(15_000)
    assert.equal(await versionAt(clock.now()), 'p3')
  })
})
