import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlsOf } from './hosts.ts'

test('a URL with one host is unchanged', () => {
  for (const url of ['postgres://a:b@c:1/d', 'postgres:///d?host=/tmp,x', 'postgresql://u:p,q@host/d']) {
    assert.deepEqual(urlsOf(url), [url])
  }
})

test('a URL with several hosts becomes one per host, with its port', () => {
  assert.deepEqual(urlsOf('postgres://u:p@one:6432,two,[::1]:7/d?x=y'), [
    'postgres://u:p@one:6432/d?x=y',
    'postgres://u:p@two/d?x=y',
    'postgres://u:p@[::1]:7/d?x=y',
  ])
})

test('an invalid host is rejected', () => {
  assert.throws(() => urlsOf('postgres://one,:5432/d'), /invalid host in a PostgreSQL URL/)
})
