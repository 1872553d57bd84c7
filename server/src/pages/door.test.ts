import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startWorld, type World } from '../../../test/support/world.ts'

let world: World
let origin: Awaited<ReturnType<World['openPages']>>
before(async () => {
  world = await startWorld()
  origin = await world.openPages()
})

describe('the pages door', () => {
  test('serves the stylesheet under a content hash, cached permanently', async () => {
    const page = await (await fetch(`${origin}/account/reset`)).text()
    const [, path] = /<link rel="stylesheet" href="(\/assets\/[0-9a-f]{16}\.css)">/.exec(page)!
    const { status, headers } = await fetch(origin + path)
    assert.equal(status, 200)
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-content-type-options'].map((name) => headers.get(name)),
      ['text/css; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'],
    )
    assert.equal((await fetch(`${origin}/assets/0000000000000000.css`)).status, 404)
  })

  test('links to no other host if the path begins with two slashes', async () => {
    const page = await (await fetch(`${origin}//x//evil.example/phish`)).text()
    assert.doesNotMatch(page, /href="\/\//)
  })

  test('answers malformed URLs, forms and requests with 4xx', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [path, init] of [
      ['/account/confirm', {}],
      ['/account/confirm?token=%00', {}],
      ['/account/confirm?token=a&token=b', {}],
      [`/account/confirm?token=${'x'.repeat(10_000)}`, {}],
      ['/account/%zz', {}],
      ['/account/reset', { method: 'POST' }],
      ['/account/reset', { method: 'POST', headers: form, body: '%zz=%00&form_token=%' }],
      ['/account/reset', { method: 'POST', headers: form, body: 'form_token=x&form_token=y' }],
      ['/account/reset', { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'x' }],
      ['/account/reset?__proto__=1&constructor=2', {}],
    ] as const) {
      const { status } = await fetch(origin + path, init)
      assert(status >= 400 && status < 500, `${status} for ${path}`)
    }
  })
})
