import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { codePoints } from '../../../test/support/code-points.ts'
import { html } from './html.ts'

describe('html', () => {
  test('escapes everything that could end a text or an attribute', () => {
    const text = html`<p title="${`"'<&>`}">${'<script>'}</p>`.text
    assert.equal(text, '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;script&gt;</p>')
  })

  test('keeps Html as it is, joins lists, and omits null, undefined and false', () => {
    const items = ['a', 'b'].map((each) => html`<li>${each}</li>`)
    assert.equal(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text, '<ul><li>a</li><li>b</li>0</ul>')
  })

  test('never lets text open a tag, an attribute or an entity', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoints }), (text) => {
        assert.doesNotMatch(html`${text}`.text, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      }),
    )
  })
})
