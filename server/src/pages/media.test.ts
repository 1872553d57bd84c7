import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPictures } from '../../demo/index.ts'
import { media } from './media.ts'

const [picture] = readPictures()

describe('media', () => {
  test('serves an image cached permanently, without script', async () => {
    const found = await media(picture!.path)
    assert.equal(found?.body.toString(), picture!.svg.toString())
    assert.equal(found.headers['content-type'], 'image/svg+xml')
    assert.match(found.headers['cache-control']!, /max-age=31536000, immutable/)
    assert.match(found.headers['content-security-policy']!, /default-src 'none'; sandbox/)
    assert.equal(found.headers['x-content-type-options'], 'nosniff')
  })

  test('404 for unknown paths', async () => {
    for (const path of [
      '/media/',
      '/media/../package.json',
      `${picture!.path}?x=1`,
      '/media/00000000000000000000000000000000.svg',
    ]) {
      assert.equal(await media(path), null)
    }
  })
})
