import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHosts } from './hosts.ts'

test('a URL of one host is left as it is', () => {
  for (const url of ['postgres://a:b@c:1/d', 'postgres:///d?host=/tmp,x', 'postgresql://u:p,q@host/d']) {
    assert.deepEqual(readHosts(url), { url, hosts: [] })
  }
})

test('a URL of several hosts gives each with its port', () => {
  assert.deepEqual(readHosts('postgres://u:p@one:6432,two,[::1]:7/d?x=y'), {
    url: 'postgres://u:p@one:6432/d?x=y',
    hosts: [
      { host: 'one', port: 6432 },
      { host: 'two', port: 5432 },
      { host: '::1', port: 7 },
    ],
  })
})

test('a host that is none is told', () => {
  assert.throws(() => readHosts('postgres://one,:5432/d'), /not a host of a PostgreSQL URL/)
})
