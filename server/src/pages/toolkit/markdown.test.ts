import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { markdown, plainText } from './markdown.ts'

const shown = (text: string) => markdown(text).text.trim()

describe('markdown', () => {
  test('renders headings below the title, paragraphs, lists and rules', () => {
    assert.equal(
      shown('# One\nText\nof it.\n\n### Two\n\n- a\n- b\n  and more\n\n1. x\n2. y\n\n---'),
      '<h2>One</h2>\n<p>Text\nof it.</p>\n<h3>Two</h3>\n<ul><li>a</li><li>b and more</li></ul>\n<ol><li>x</li><li>y</li></ol>\n<hr>',
    )
  })

  test('renders emphasis, code and links', () => {
    assert.equal(
      shown('**Strong**, *soft*, `code`, [mail](mailto:a@b.example).'),
      '<p><strong>Strong</strong>, <em>soft</em>, <code>code</code>, <a href="mailto:a@b.example">mail</a>.</p>',
    )
  })

  test('escapes HTML and ignores links that could run script', () => {
    assert.equal(shown('<b>x</b> [y](javascript:alert(1))'), '<p>&lt;b&gt;x&lt;/b&gt; [y](javascript:alert(1))</p>')
    for (const target of ['//elsewhere.example', '/\\elsewhere.example'])
      assert.equal(shown(`[z](${target})`), `<p>[z](${target})</p>`)
    assert.equal(
      shown('[q](https://a.example/"onmouseover=x)'),
      '<p><a href="https://a.example/&quot;onmouseover=x">q</a></p>',
    )
  })

  test('renders a trailing backslash as a line break', () => {
    assert.equal(shown('**a**\\\nb\nc'), '<p><strong>a</strong><br>b\nc</p>')
  })

  test('keeps lines and markers of plain text', () => {
    assert.equal(plainText('a *b*\nc\n\nd').text, '<p>a *b*<br>c</p>\n<p>d</p>\n')
  })
})
