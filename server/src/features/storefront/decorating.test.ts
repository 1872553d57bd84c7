import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit } from '../../../../test/support/before-commit.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { LOOK, siteOf } from '../../../../test/support/pages/site.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import {
  type DecorationContent,
  listDecorationVersions,
  previewDecorationDraft,
  publishDecorationDraft,
  restoreVersion,
  saveDecorationDraft,
} from './index.ts'

let shop: Shop
let site: ReturnType<typeof siteOf>
let database: Shop['database']
let clock: Shop['clock']
let ceramics: ReturnType<Shop['storeId']>
before(async () => {
  shop = await startShop()
  site = siteOf(shop)
  ;({ database, clock } = shop)
  ceramics = shop.storeId('ceramics')
})

const green: DecorationContent = { ...LOOK, theme: { ...LOOK.theme, primaryColor: '#00aa00' } }
const preview = (languages = ['en']) =>
  previewDecorationDraft(database.reader, ceramics, { languages, now: clock.now() })
const path = '/api/v1/storefront-decorations/merchants/ceramics'
const shown = async () => (await shop.anonymous.get(path)).body

describe('a decoration', () => {
  test('is a draft first, which only the preview shows', async () => {
    await refuses('not_found', () => preview())
    assert.deepEqual(await site.draft(ceramics), { version: 1 })

    assert.equal((await preview()).version, 1)
    assert.equal((await shown()).code, 'not_found')
  })

  test('is shown once published, and unchanged while the next draft is edited', async () => {
    assert.deepEqual(await site.publishDecorationDraft(ceramics), { version: 1, result: 'published' })
    await site.draft(ceramics, green)

    assert.equal((await preview()).theme.primaryColor, '#00aa00')
    assert.equal((await shown()).data.theme.primaryColor, '#2f5d50')
  })

  test('keeps every version, and does not publish an unchanged draft', async () => {
    assert.deepEqual(await site.publishDecorationDraft(ceramics), { version: 2, result: 'published' })
    assert.deepEqual(await site.publishDecorationDraft(ceramics), { version: 2, result: 'unchanged' })

    const versions = await listDecorationVersions(database.reader, ceramics)
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 1],
    )
    assert.match(versions[0]!.contentHash, /^[0-9a-f]{64}$/)
    await assert.rejects(shop.run('update decorations set content = content'), /never changed/)
  })

  test('can be restored to an old version, as a new one', async () => {
    await database.transaction((tx) => restoreVersion(tx, ceramics, 1, { now: clock.now() }))
    assert.deepEqual(await site.publishDecorationDraft(ceramics), { version: 3, result: 'published' })

    assert.equal((await shown()).data.theme.primaryColor, '#2f5d50')
    await refuses('not_found', () =>
      database.transaction((tx) => restoreVersion(tx, ceramics, 99, { now: clock.now() })),
    )
  })

  test('does not overwrite concurrent changes', async () => {
    const refusal = await refuses('version_conflict', () => site.draft(ceramics, LOOK, 1))
    assert.deepEqual(refusal.facts.conflict, { expectedVersion: 1, currentVersion: 3 })
    await refuses('version_conflict', () =>
      database.transaction((tx) => publishDecorationDraft(tx, ceramics, { expectedVersion: 1, now: clock.now() })),
    )
    assert.deepEqual(await site.draft(ceramics, LOOK, 3), { version: 4 })
  })

  test('has only blocks of known types, with their own members', async () => {
    const page = LOOK.pages.en![0]!
    const withBlock = (block: object) =>
      ({ ...LOOK, pages: { en: [{ ...page, blocks: [block] }] } }) as unknown as DecorationContent
    for (const block of [
      { id: 'x', type: 'script', props: {} },
      { id: 'x', type: 'divider', props: { style: 'line', onclick: 'x' } },
      { id: 'x', type: 'hero', props: { heading: 'x', action: { label: 'x', url: 'javascript:alert(1)' } } },
      {
        id: 'x',
        type: 'columns',
        props: { columns: 2 },
        children: [{ id: 'y', type: 'columns', props: { columns: 2 }, children: [] }],
      },
    ]) {
      await assert.rejects(site.draft(ceramics, withBlock(block)), { name: 'Refusal' }, JSON.stringify(block))
    }
    await assert.rejects(site.draft(ceramics, { ...LOOK, pages: {} }), { name: 'Refusal' })
  })

  test('is not published from the draft of another store', async () => {
    await refuses('not_found', () => site.publishDecorationDraft(shop.storeId('books')))
    await database.transaction((tx) => saveDecorationDraft(tx, shop.storeId('books'), green, { now: clock.now() }))
    assert.deepEqual(await site.publishDecorationDraft(shop.storeId('books')), { version: 1, result: 'published' })
  })

  test('has one first draft: a concurrent save is a version conflict', async () => {
    await shop.run('delete from decoration_drafts')
    const save = (tx: Parameters<typeof saveDecorationDraft>[0]) =>
      saveDecorationDraft(tx, ceramics, green, { expectedVersion: 0, now: clock.now() })
    const second = () => refuses('version_conflict', () => database.transaction(save))
    assert.deepEqual((await beforeCommit(database, save, second)).facts.conflict, {
      expectedVersion: 0,
      currentVersion: 1,
    })
  })
})
