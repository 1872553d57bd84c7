import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import { addressForLimits, clientAddress } from './client-address.ts'

function request(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

describe('the address of a client', () => {
  test("is the connection's without trusted proxies, whatever the request claims", () => {
    assert.equal(clientAddress(request('203.0.113.9', '198.51.100.1'), 0), '203.0.113.9')
  })

  test('is the last entry, which the trusted proxy added', () => {
    assert.equal(clientAddress(request('10.0.0.1', '203.0.113.9'), 1), '203.0.113.9')
  })

  test('ignores entries that the client sent', () => {
    assert.equal(clientAddress(request('10.0.0.1', '198.51.100.1, 203.0.113.9'), 1), '203.0.113.9')
  })

  test('behind two proxies is the one that the outer proxy saw', () => {
    assert.equal(clientAddress(request('10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2'), 2), '203.0.113.9')
  })

  test('with fewer entries than trusted proxies is the first entry', () => {
    assert.equal(clientAddress(request('10.0.0.1', '203.0.113.9'), 3), '203.0.113.9')
    assert.equal(clientAddress(request('10.0.0.1'), 2), '10.0.0.1')
    assert.equal(clientAddress(request('10.0.0.1', ' , ,'), 1), '10.0.0.1')
  })

  test('has no port, which some gateways add: two clients of one gateway differ', () => {
    const seen = (forwarded: string) => clientAddress(request('10.0.0.1', forwarded), 1)
    assert.equal(seen('198.51.100.1:443, 203.0.113.9:50123'), '203.0.113.9')
    assert.equal(seen('[2001:db8::1]:50123'), '2001:db8::1')
    assert.equal(seen('[2001:db8::1]'), '2001:db8::1')
    assert.equal(seen('[::ffff:203.0.113.9]:50123'), '203.0.113.9')
    assert.equal(seen('2001:db8::1'), '2001:db8::1')
    assert.equal(seen('203.0.113.9:'), '10.0.0.1')
  })

  test('is that of the connection if the entry is not an address', () => {
    for (const text of ['unknown', '_hidden', '203.0.113.9; drop', 'x'.repeat(10_000)]) {
      assert.equal(clientAddress(request('10.0.0.1', text), 1), '10.0.0.1')
    }
  })

  test('is IPv4 if the socket maps it into IPv6', () => {
    assert.equal(clientAddress(request('::ffff:203.0.113.9'), 0), '203.0.113.9')
    assert.equal(clientAddress(request('10.0.0.1', '::ffff:203.0.113.9'), 1), '203.0.113.9')
    assert.equal(clientAddress(request('10.0.0.1', '::FFFF:203.0.113.9'), 1), '203.0.113.9')
  })

  describe('behind proxies that are known by their addresses', () => {
    const proxies = new BlockList()
    proxies.addSubnet('10.0.0.0', 24, 'ipv4')
    proxies.addAddress('2001:db8::5', 'ipv6')
    const seen = (remoteAddress: string, forwarded?: string) =>
      clientAddress(request(remoteAddress, forwarded), proxies)

    test('is the last entry that is not a proxy', () => {
      assert.equal(seen('10.0.0.1', '203.0.113.9'), '203.0.113.9')
      assert.equal(seen('::ffff:10.0.0.1', '6.6.6.6, 203.0.113.9:50123, 10.0.0.2'), '203.0.113.9')
      assert.equal(seen('2001:db8::5', '[2001:db8::9]:443'), '2001:db8::9')
    })

    test("is the connection's if that is not a proxy, whatever the request claims", () => {
      assert.equal(seen('10.0.1.1', '203.0.113.9'), '10.0.1.1')
      assert.equal(seen('203.0.113.9', '198.51.100.1, 10.0.0.1'), '203.0.113.9')
      assert.equal(seen('203.0.113.9'), '203.0.113.9')
    })

    test("is the connection's if the proxy names no client", () => {
      assert.equal(seen('10.0.0.1'), '10.0.0.1')
      assert.equal(seen('10.0.0.1', '203.0.113.9, unknown'), '10.0.0.1')
    })
  })

  test('is empty if the connection is closed', () => assert.equal(clientAddress(request(undefined), 0), ''))
})

describe('the key of a limit by address', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ]
  for (const [address, counted] of cases) {
    test(`${address} counts as ${counted}`, () => assert.equal(addressForLimits(address), counted))
  }

  test('an invalid address counts as it is', () => {
    assert.equal(addressForLimits('unknown'), 'unknown')
  })

  test('differs for two customers of one provider', () => {
    assert.notEqual(addressForLimits('2001:db8:1:2::9'), addressForLimits('2001:db8:1:3::9'))
  })
})
