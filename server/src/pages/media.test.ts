import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fastify from 'fastify'
import { readPictures } from '../../demo/index.ts'
import { diskStore } from '../features/media/index.ts'
import { media } from './media.ts'

const [picture] = readPictures()
const door = fastify()
before(async () => {
  media(diskStore('/nowhere'), 256)(door)
  await door.ready()
})

describe('media', () => {
  test('serves an image cached permanently, without script', async () => {
    const found = await door.inject(picture!.path)
    assert.equal(found.body, picture!.svg.toString())
    assert.equal(found.headers['content-type'], 'image/svg+xml')
    assert.match(String(found.headers['cache-control']), /max-age=31536000, immutable/)
    assert.match(String(found.headers['content-security-policy']), /default-src 'none'; sandbox/)
    assert.equal(found.headers['x-content-type-options'], 'nosniff')
  })

  test('404 for unknown paths', async () => {
    const unknown = '00000000000000000000000000000000'
    for (const path of [
      '/media/',
      '/media/../package.json',
      '/media/%2e%2e%2fpackage.json',
      `${picture!.path}?x=1`,
      `/media/${unknown}.svg`,
      `/media/${unknown}-640/640.webp`,
      `/media/${unknown}-640/..%2f640.webp`,
    ]) {
      assert.equal((await door.inject(path)).statusCode, 404, path)
    }
  })

  test('503 unavailable: pictures that wait for a silent store take half of the requests in flight', async () => {
    const [full, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()]
    let opening = 0
    const open = () => {
      opening += 1
      if (opening === 2) full.resolve()
      return answered.promise
    }
    const slow = fastify()
    media({ ...diskStore('/nowhere'), open }, 4)(slow)
    const get = () => slow.inject(`/media/${'0'.repeat(32)}-640/640.webp`).then((answer) => answer)
    const waiting = [get(), get()]
    await full.promise
    assert.equal((await get()).json().code, 'unavailable')
    answered.resolve(null)
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ statusCode }) => statusCode),
      [404, 404],
    )
  })
})
