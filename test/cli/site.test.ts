import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { importCatalog } from '@vitrine/server'
import { idSource } from '../../server/src/kernel/ids.ts'
import { testClock } from '../support/clock.ts'
import { storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { LOOK } from '../support/pages/site.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'
import { testRandomness } from '../support/randomness.ts'

const clock = testClock()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  const settings = { DATABASE_URL: url, DATA_DIR: folder }
  env = settings
  await serveOperatorApi(settings)
  await importCatalog({
    database,
    ids: idSource(clock, testRandomness()),
    now: clock.now(),
    storeSlug: 'pots',
    source: [JSON.stringify(storeLine('pots'))],
  })
})

async function json(...args: string[]) {
  const { code, out, err } = await command([...args, '--json'], { env })
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out)
}

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('vitrine site, legal, contact and decoration', () => {
  test('set the name and address of the site, and show them', async () => {
    assert.equal(await json('site', 'show'), null)
    await json('site', 'set', '--name', 'Markt', '--locales', 'de, en', '--countries', 'DE')
    const { name, locales, currencies, countries } = await json('site', 'show')
    assert.deepEqual([name, locales, currencies, countries], ['Markt', ['de', 'en'], null, ['DE']])
  })

  test('publish a document once, list it, and refuse another text for it with a message', async () => {
    const text = await file('terms.md', '# Terms')
    const args = ['--type', 'terms_of_use', '--version', '1', '--locale', 'en', '--title', 'Terms']
    assert.equal((await json('legal', 'publish', text, ...args)).result, 'published')
    assert.equal((await json('legal', 'publish', text, ...args)).result, 'unchanged')
    await json('legal', 'publish', text, ...args, '--store', 'pots', '--effective', '2031-01-01T00:00:00Z')
    assert.deepEqual((await json('legal', 'list')).length, 1)
    assert.equal((await json('legal', 'list', '--store', 'pots'))[0].effectiveAt, '2031-01-01T00:00:00.000Z')

    const other = await file('other.md', '# Other terms')
    const { code, err } = await command(['legal', 'publish', other, ...args], { env })
    assert.equal(code, 1)
    assert.match(err, /^vitrine: \/version: This version was published with another text/)
  })

  test('save the contact channels of a language', async () => {
    const channel = { id: 'mail', type: 'email', label: 'Help', value: 'help@example.com', languages: ['en'] }
    await json('contact', 'save', await file('contact.json', [channel]), '--locale', 'en')
    assert.deepEqual(await json('contact', 'list'), [{ ...channel, locale: 'en' }])
  })

  test('draft, preview, publish and restore a decoration', async () => {
    const look = await file('look.json', LOOK)
    assert.deepEqual(await json('decoration', 'draft', look, '--store', 'pots'), { version: 1 })
    assert.equal((await json('decoration', 'preview', '--store', 'pots')).pages[0].title, 'Welcome')
    assert.deepEqual(await json('decoration', 'publish', '--store', 'pots'), { version: 1, result: 'published' })
    assert.deepEqual(await json('decoration', 'take-up', '1', '--store', 'pots'), { version: 2 })
    assert.equal((await json('decoration', 'list', '--store', 'pots')).length, 1)

    const { code, err } = await command(['decoration', 'draft', look, '--store', 'nobody'], { env })
    assert.deepEqual([code, err], [1, 'vitrine: There is no store "nobody".\n'])
  })
})
