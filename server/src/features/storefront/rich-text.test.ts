import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultOfRichText } from './rich-text.ts'

const codeOf = (text: string, format: 'plain' | 'markdown' = 'markdown') =>
  faultOfRichText({ format, text }, 'text')?.code

describe('rich text', () => {
  test('has no link to another host that looks like a path of this site', () => {
    for (const target of ['//evil.example', '/\\evil.example', '/&#47;evil.example', '/&sol;evil.example'])
      assert.notEqual(codeOf(`[a](${target})`), undefined, target)
  })

  test('can be any Markdown without HTML', () => {
    for (const text of [
      '# A\n\n- b *c* **d**',
      '3 < 4',
      'a <- b',
      '[a](https://b.example) [c](/d) [e](#f) [g](mailto:h@i.example)',
    ]) {
      assert.equal(codeOf(text), undefined, text)
    }
  })

  test('contains no raw HTML, in any form that browsers accept', () => {
    for (const text of [
      '<b>x</b>',
      '</p>',
      '<!-- x -->',
      '<?php',
      'a\n<SCRIPT\nsrc=x>',
      '<svg/onload=x>',
      '<https://a.example>',
    ]) {
      assert.equal(codeOf(text), 'raw_html', text)
    }
  })

  test('has no links that a browser would run', () => {
    for (const text of [
      '[a](javascript:alert(1))',
      '[a]( JaVaScRiPt:x)',
      '![a](data:text/html,x)',
      '[a](//b.example)',
      '[a]: vbscript:x',
    ]) {
      assert.equal(codeOf(text), 'link_refused', text)
    }
  })

  test('has no such links as definitions in quotes and lists, or with brackets in their names', () => {
    for (const start of ['> ', '>', '- ', '* ', '1. ', '2) ', '> > ', '- > 3. ', '   > ', '>\t'])
      assert.equal(codeOf(`[a]\n\n${start}[a]: javascript:x`), 'link_refused', start)
    for (const text of ['[a\\]b]: javascript:x', '> [a]:\n> javascript:x', '> [a]: //b.example'])
      assert.equal(codeOf(text), 'link_refused', text)
    for (const text of ['> [a]: https://b.example', '- [a]: /c', 'Sizes [cm]: 20', '- Sizes [cm]: 20'])
      assert.equal(codeOf(text), undefined, text)
  })

  test('in plain format can be anything, because it is escaped', () => {
    assert.equal(codeOf('<script>alert(1)</script>', 'plain'), undefined)
  })
})
