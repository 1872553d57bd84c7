import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileAt, filesOf, mainWidthOf, sourcesOf, widthsOf } from './address.ts'

const ID = '0123456789abcdef0123456789abcdef'

describe('the files of a picture', () => {
  test('are never wider than the picture, and its own width is among them', () => {
    assert.deepEqual(widthsOf(200), [200])
    assert.deepEqual(widthsOf(320), [320])
    assert.deepEqual(widthsOf(900), [320, 640, 900])
    assert.deepEqual(widthsOf(2048), [320, 640, 1280, 2048])
    assert.deepEqual(widthsOf(8000), [320, 640, 1280, 2048])
  })

  test('include one of at most 1280 pixels that every client can show', () => {
    assert.deepEqual([200, 900, 1280, 2048].map(mainWidthOf), [200, 900, 1280, 1280])
  })

  test('are derived from the URL of the main file, and from no other URL', () => {
    const [avif, webp] = sourcesOf(`https://shop.example/media/${ID}-900/900.jpg`)
    assert.equal(avif?.type, 'image/avif')
    assert.equal(webp?.type, 'image/webp')
    assert.equal(
      webp?.srcset,
      [320, 640, 900].map((width) => `https://shop.example/media/${ID}-900/${width}.webp ${width}w`).join(', '),
    )
    for (const other of ['https://cdn.example/shirt.jpg', `https://shop.example/media/${ID}.svg`, '']) {
      assert.deepEqual(sourcesOf(other), [])
    }
  })

  test('have paths that identify them', () => {
    const names = filesOf({ address: `${ID}-900`, file: '900.png' })
    assert.deepEqual(names, ['320.avif', '320.webp', '640.avif', '640.webp', '900.avif', '900.webp', '900.png'])
    for (const name of names) assert.equal(fileAt(`${ID}-900/${name}`)?.name, name)
    for (const path of [`${ID}-900/../900.png`, `${ID}-900/900.svg`, `${ID}/900.png`, `${ID}-900/900.png?a`, '']) {
      assert.equal(fileAt(path), null, path)
    }
  })
})
