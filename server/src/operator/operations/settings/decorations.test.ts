import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

const PATH = '/stores/ceramics/decoration'
const theme = {
  primaryColor: '#2f5d50',
  accentColor: '#d98e04',
  backgroundColor: '#ffffff',
  textColor: '#1c1c1c',
  font: 'serif',
  cornerRadius: 6,
}
const look = (heading: string) => ({
  theme,
  pages: { en: [{ slug: 'home', title: 'Welcome', blocks: [{ id: 'hero-1', type: 'hero', props: { heading } }] }] },
})

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const pointers = (body: { details: readonly { pointer: string }[] }) => body.details.map(({ pointer }) => pointer)

describe('decorations', () => {
  test('are drafted, published and restored, each step with an audit entry', async () => {
    assert.deepEqual((await operator.get(PATH)).body.data, { versions: [] })
    assert.deepEqual(codeOf(await operator.send('POST', `${PATH}/publish`, {})), [404, 'not_found'])

    assert.deepEqual(await operator.change('PUT', `${PATH}/draft`, look('First')), { version: 1 })
    assert.deepEqual(await operator.change('POST', `${PATH}/publish`, { expectedVersion: 1 }), {
      version: 1,
      result: 'published',
    })
    shop.clock.advance(1000)
    await operator.change('PUT', `${PATH}/draft`, { ...look('Second'), expectedVersion: 1 })
    await operator.change('POST', `${PATH}/publish`, {})
    const shown = (await operator.get(PATH)).body.data
    assert.equal(shown.published.content.pages.en[0].blocks[0].props.heading, 'Second')
    assert.deepEqual(
      shown.versions.map(({ version }: { version: number }) => version),
      [2, 1],
    )

    shop.clock.advance(1000)
    await operator.change('POST', `${PATH}/take-up`, { version: 1 })
    const { draft, published } = (await operator.get(PATH)).body.data
    assert.equal(draft.content.pages.en[0].blocks[0].props.heading, 'First')
    assert.equal(published.version, 2)
    const [entry] = (await operator.get(`/audit-log?subject=${shop.storeId('ceramics')}&limit=1`)).body.data.items
    assert.deepEqual([entry.before, entry.after], [{ version: 2 }, { version: 3, from: 1 }])
  })

  test('are refused with the field of each fault', async () => {
    const wrong = look('Third')
    const page = { slug: 'home', title: 'Welcome', blocks: [{ id: 'a', type: 'marquee', props: {} }] }
    const unknown = await operator.send('PUT', `${PATH}/draft`, { ...wrong, pages: { en: [page] } })
    assert.equal(unknown.status, 400)
    assert.ok(pointers(unknown.body).some((pointer) => pointer.startsWith('/pages/en/0/blocks/0')))
    const html = { id: 'text', type: 'rich_text', props: { content: { format: 'markdown', text: '<b>Bold</b>' } } }
    const raw = await operator.send('PUT', `${PATH}/draft`, { ...wrong, pages: { en: [{ ...page, blocks: [html] }] } })
    assert.deepEqual(pointers(raw.body), ['/pages/en/0/blocks/0/props/content/text'])
  })

  test('are not changed from an older version: version_conflict', async () => {
    const stale = { expectedVersion: 900 }
    const requests = [
      ['PUT', 'draft', { ...look('Fourth'), ...stale }],
      ['POST', 'publish', stale],
      ['POST', 'take-up', { version: 1, ...stale }],
    ] as const
    for (const [method, act, body] of requests) {
      assert.deepEqual(codeOf(await operator.send(method, `${PATH}/${act}`, body)), [409, 'version_conflict'])
    }
  })

  test('of an unknown store or version are not_found', async () => {
    const nowhere = '/stores/nobody/decoration'
    assert.deepEqual(codeOf(await operator.get(nowhere)), [404, 'not_found'])
    const requests = [
      ['PUT', `${nowhere}/draft`, look('Fifth')],
      ['POST', `${nowhere}/publish`, {}],
      ['POST', `${nowhere}/take-up`, { version: 1 }],
      ['POST', `${PATH}/take-up`, { version: 77 }],
    ] as const
    for (const [method, path, body] of requests) {
      assert.deepEqual(codeOf(await operator.send(method, path, body)), [404, 'not_found'])
    }
  })
})

describe('the color of a store', () => {
  const branding = '/stores/books/branding'
  const colorsOf = async () => {
    const { draft, published } = (await operator.get('/stores/books/decoration')).body.data
    return [published.content.theme.primaryColor, draft?.content.theme.primaryColor]
  }

  test('is published at once, with a plain home page where there is no design', async () => {
    assert.deepEqual(await operator.change('PUT', branding, { primaryColor: '#aa3300', expectedVersion: 0 }), {
      version: 1,
    })
    const { published } = (await operator.get('/stores/books/decoration')).body.data
    assert.equal(published.content.theme.primaryColor, '#aa3300')
    assert.deepEqual(Object.values(published.content.pages).length, 1)
    const stale = await operator.send('PUT', branding, { primaryColor: '#00aa33', expectedVersion: 0 })
    assert.deepEqual(codeOf(stale), [409, 'version_conflict'])
  })

  test('is set in the draft as well, so that publishing the draft keeps it', async () => {
    await operator.change('PUT', '/stores/books/decoration/draft', look('Draft'))
    await operator.change('PUT', branding, { primaryColor: '#224488' })
    assert.deepEqual(await colorsOf(), ['#224488', '#224488'])
    const { published } = (await operator.get('/stores/books/decoration')).body.data
    assert.notEqual(Object.values<{ title: string }[]>(published.content.pages)[0]?.[0]?.title, 'Welcome')
  })

  test('is previewed with its contrast, and adjusted where text in it could not be read', async () => {
    const preview = async (primaryColor: string) =>
      (await operator.send('POST', `${branding}/preview`, { primaryColor })).body.data
    const dark = await preview('#17594a')
    assert.equal(dark.light.accent, '#17594a')
    assert.equal(dark.light.isAdjusted, false)
    assert.equal(dark.dark.isAdjusted, true)
    const pale = await preview('#ffee88')
    assert.equal(pale.light.isAdjusted, true)
    assert.ok(Number(pale.light.contrast) < 2, pale.light.contrast)
    const script = await operator.send('PUT', branding, { primaryColor: 'red;}*{display:none' })
    assert.deepEqual(codeOf(script), [400, 'validation_failed'])
  })
})
