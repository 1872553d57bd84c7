import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
})

const profile = {
  names: { en: 'Linen & Loom', de: 'Leinen & Webstuhl' },
  currencies: ['EUR', 'USD'],
  locales: ['en', 'de'],
  countries: ['DE', 'AT'],
  pricesIncludeTax: true,
}
const open = (slug: string, more: object = {}) => operator.change('POST', '/stores', { slug, ...profile, ...more })

describe('stores', () => {
  test('are created, read and updated, and the audit log has the values before each update', async () => {
    const made = await open('loom', { contact: { email: 'hello@loom.example' } })
    assert.deepEqual([made.name, made.status, made.accessMode, made.version], ['Linen & Loom', 'active', 'open', 1])
    world.clock.advance(1000)
    const changed = await operator.change('PATCH', '/stores/loom', {
      names: { en: 'Loom', de: 'Webstuhl' },
      currencies: ['USD', 'GBP'],
      status: 'suspended',
      expectedVersion: 1,
    })
    assert.deepEqual([changed.name, changed.currencies, changed.contact], ['Loom', ['USD', 'GBP'], made.contact])
    assert.deepEqual((await operator.get('/stores/loom')).body.data, changed)
    const [entry] = (await operator.get(`/audit-log?subject=${made.id}&limit=1`)).body.data.items
    assert.deepEqual(entry.before, { names: profile.names, currencies: ['EUR', 'USD'], status: 'active' })
    assert.deepEqual(entry.after.currencies, ['USD', 'GBP'])
  })

  test('show the logo, description, contact and policies that an operator sets, until they are cleared', async () => {
    await open('shown')
    const logo = { url: '/images/loom.svg', width: 40, height: 20, alt: { en: 'Loom' } }
    const returns = { type: 'returns', titles: { en: 'Returns' }, texts: { en: 'Within 30 days.' } }
    const imprint = { type: 'imprint', titles: { en: 'Imprint' }, url: 'https://loom.example/imprint' }
    const content = {
      logo,
      descriptions: { en: 'Washed linen.' },
      contact: { email: 'hello@loom.example', phone: '+491234567' },
      policies: [returns, imprint],
    }
    const set = await operator.change('PATCH', '/stores/shown', content)
    assert.deepEqual({ ...set, ...content }, set)
    const seen = async () => {
      await world.refresh()
      return (await world.anonymous.get('/api/v1/catalog/merchants/shown')).body.data
    }
    const { logo: shownLogo, description, contact, policies } = await seen()
    assert.deepEqual(
      { logo: shownLogo, description, contact, policies },
      {
        logo: { ...logo, alt: 'Loom' },
        description: 'Washed linen.',
        contact: content.contact,
        policies: [
          { type: 'returns', title: 'Returns', text: 'Within 30 days.' },
          { type: 'imprint', title: 'Imprint', url: imprint.url },
        ],
      },
    )
    const bad = await operator.send('PATCH', '/stores/shown', { policies: [{ type: 'returns', titles: {} }] })
    assert.deepEqual([bad.status, bad.body.details[0].pointer], [400, '/policies/0/titles'])

    const cleared = await operator.change('PATCH', '/stores/shown', {
      logo: null,
      descriptions: null,
      contact: {},
      policies: [],
    })
    const { logo: noLogo, descriptions: noDescriptions, contact: noContact, policies: noPolicies } = cleared
    assert.deepEqual([noLogo, noDescriptions, noContact, noPolicies], [undefined, undefined, {}, []])
    assert.deepEqual([(await seen()).logo, (await seen()).policies], [undefined, []])
  })

  test('that are suspended are gone from every public read and can be resumed', async () => {
    await open('paused')
    await world.import([productLine('left-over')], 'paused')
    const status = async (path: string) => (await world.anonymous.get(`/api/v1/catalog/${path}`)).status
    const paths = ['merchants/paused', 'merchants/paused/products', 'products/product-left-over']
    for (const [set, expected] of [
      ['suspended', 404],
      ['active', 200],
    ] as const) {
      await operator.change('PATCH', '/stores/paused', { status: set })
      await world.refresh()
      for (const path of paths) assert.equal(await status(path), expected, `${path} ${set}`)
      const listed = (await operator.get('/stores?status=suspended&q=paused')).body.data.items
      assert.equal(listed.length, set === 'suspended' ? 1 : 0)
    }
  })

  test('have unique slugs: name_taken', async () => {
    await open('taken')
    const again = await operator.send('POST', '/stores', { slug: 'taken', ...profile })
    assert.deepEqual([again.status, again.body.code], [409, 'name_taken'])
  })

  test('changed meanwhile by another operator stay unchanged: version_conflict', async () => {
    await open('twice')
    const stale = await operator.send('PATCH', '/stores/twice', { status: 'suspended', expectedVersion: 7 })
    assert.deepEqual([stale.body.code, stale.body.conflict.currentVersion], ['version_conflict', 1])
  })

  test('keep a currency that is used by a price: in_use', async () => {
    await world.import([storeLine('priced', { currencies: ['EUR', 'USD'] }), productLine('cup')], 'priced')
    const refused = await operator.send('PATCH', '/stores/priced', { currencies: ['USD'] })
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
    assert.match(refused.body.details[0].message, /prices in EUR/)
    const changed = await operator.change('PATCH', '/stores/priced', { currencies: ['EUR'] })
    assert.deepEqual(changed.currencies, ['EUR'])
  })

  test('name the invalid field, and are not_found if unknown', async () => {
    const bad = await operator.send('PATCH', '/stores/loom', { locales: ['xx_yy'], currencies: ['EU'] })
    assert.deepEqual(bad.body.details.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/currencies/0',
      '/locales/0',
    ])
    const unknown = await operator.send('PATCH', '/stores/loom', { currencies: ['XQX'] })
    assert.deepEqual([unknown.status, unknown.body.details[0].pointer], [400, '/currencies'])
    for (const path of ['', '/staff']) {
      assert.equal((await operator.get(`/stores/nowhere${path}`)).body.code, 'not_found')
    }
    assert.equal((await operator.send('PATCH', '/stores/nowhere', { status: 'active' })).body.code, 'not_found')
    assert.equal((await operator.send('POST', '/stores/nowhere/access', { mode: 'open' })).body.code, 'not_found')
  })

  test('are listed by slug, in pages, and found by name', async () => {
    for (const slug of ['list-a', 'list-b', 'list-c']) await open(slug, { names: { en: `Listed ${slug}` } })
    const first = (await operator.get('/stores?q=listed&limit=2')).body.data
    const second = (await operator.get(`/stores?q=listed&limit=2&cursor=${first.nextCursor}`)).body.data
    assert.deepEqual(
      [...first.items, ...second.items].map(({ slug }) => slug),
      ['list-a', 'list-b', 'list-c'],
    )
    assert.equal(second.nextCursor, null)
    assert.equal((await operator.get(`/stores?cursor=${first.nextCursor}`)).body.code, 'invalid_cursor')
  })

  test('are entered with a password that is stored nowhere in plain text', async () => {
    const { id } = await open('gated')
    const none = await operator.send('POST', '/stores/gated/access', { mode: 'password' })
    const [fault] = none.body.details
    assert.deepEqual(
      [none.status, fault.pointer, fault.message],
      [400, '/password', 'The store "gated" has no password yet.'],
    )
    const password = 'linen in the morning'
    world.clock.advance(1000)
    const set = await operator.change('POST', '/stores/gated/access', { mode: 'password', password })
    assert.deepEqual([set.accessMode, set.hasPassword], ['password', true])
    const log = (await operator.get(`/audit-log?subject=${id}`)).body.data.items
    assert.deepEqual([log[0].before.mode, log[0].after.mode, log[0].after.password], ['open', 'password', 'changed'])
    assert.ok(!JSON.stringify(log).includes(password))
  })
})

describe('staff', () => {
  const password = 'a long sentence of theirs'
  test('are created, listed and removed', async () => {
    await open('staffed')
    const made = await operator.change('POST', '/stores/staffed/staff', { email: 'ada@example.com', password })
    assert.deepEqual((await operator.get('/stores/staffed/staff')).body.data.items, [made])
    const twice = await operator.send('POST', '/stores/staffed/staff', { email: 'Ada@example.com', password })
    assert.match(twice.body.details[0].message, /is already a staff member/)
    const removed = await operator.change('DELETE', `/stores/staffed/staff/${made.id}`)
    assert.equal(removed.email, 'ada@example.com')
    assert.deepEqual((await operator.get('/stores/staffed/staff')).body.data.items, [])
    assert.equal((await operator.send('DELETE', `/stores/staffed/staff/${made.id}`)).body.code, 'not_found')
    assert.ok(!JSON.stringify((await operator.get('/audit-log')).body).includes(password))
  })

  test('of another store are not revealed: their address can be created, once in each store', async () => {
    await open('hers')
    await open('theirs')
    const create = (slug: string, email: string) =>
      operator.send('POST', `/stores/${slug}/staff`, { email, password: `${password} at ${slug}` })
    const answers = []
    for (const slug of ['hers', 'theirs', 'hers', 'theirs'])
      answers.push((await create(slug, 'Zoe@example.com')).status)
    assert.deepEqual(answers, [200, 200, 409, 409])
    const { items } = (await operator.get('/stores/theirs/staff')).body.data
    assert.deepEqual(
      items.map(({ email }: { email: string }) => email),
      ['Zoe@example.com'],
    )
  })

  test('of another or an unknown store are not_found', async () => {
    await open('one')
    await open('other')
    const { id } = await operator.change('POST', '/stores/one/staff', { email: 'eve@example.com', password })
    assert.equal((await operator.send('DELETE', `/stores/other/staff/${id}`)).body.code, 'not_found')
    const nowhere = await operator.send('POST', '/stores/nowhere/staff', { email: 'bob@example.com', password })
    assert.equal(nowhere.body.code, 'not_found')
  })
})
