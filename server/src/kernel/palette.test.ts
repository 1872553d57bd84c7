import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contrast, palettesOf } from './palette.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const theme = fc.record({ primaryColor: color, backgroundColor: color, textColor: color })

describe('the palettes of a theme', () => {
  test('have readable text and visible edges in light and dark, whatever the theme', () => {
    fc.assert(
      fc.property(theme, (each) => {
        for (const palette of Object.values(palettesOf(each))) {
          const { ink, soft, edge, accent, accentStrong, onAccent, paper, card, accentWash } = palette
          for (const ground of [paper, card, accentWash]) {
            for (const text of [ink, soft, accent]) assert(contrast(text, ground) >= 4.5, JSON.stringify(palette))
            assert(contrast(edge, ground) >= 3, JSON.stringify(palette))
          }
          for (const button of [accent, accentStrong]) {
            assert(contrast(onAccent, button) >= 4.5, JSON.stringify(palette))
          }
        }
      }),
    )
  })

  test('keep colors that can be read', () => {
    const { light } = palettesOf({ primaryColor: '#8f4526', backgroundColor: '#fbf7f0', textColor: '#2a211b' })
    assert.deepEqual([light.accent, light.paper, light.ink], ['#8f4526', '#fbf7f0', '#2a211b'])
  })
})
