import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublicAddress } from './public-address.ts'
import { readAllowedTargets, targetProblem } from './target.ts'

const none = readAllowedTargets('')

describe('a target', () => {
  const publicOnes = [
    'https://shop.example/hooks',
    'https://shop.example:8443/hooks?a=b#c',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://shop.example./',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://localhost.shop.example/',
  ]
  for (const url of publicOnes) test(`may be ${url}`, () => assert.equal(targetProblem(url, none), null))

  const local = [
    // Loopback in all its spellings.
    'https://127.0.0.1/',
    'https://127.0.0.1:443/',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0x7f.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://127.0.0.1./',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    // IPv4 within IPv6.
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    // Private, link-local, metadata, carriers, multicast, reserved, documentation.
    'https://10.0.0.1/',
    'https://10.255.255.255/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://192.0.0.192/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://192.0.2.1/',
    'https://203.0.113.9/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[100::1]/',
    // Names of the machine and of its network.
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://a.localhost/',
    'https://postgres/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://router.home.arpa/',
  ]
  for (const url of local) {
    test(`is not ${url}`, () => assert.equal(targetProblem(url, none), 'not_public'))
  }

  test('must use https', () => {
    assert.equal(targetProblem('http://shop.example/', none), 'not_https')
  })

  test('must not contain a user name or password', () => {
    assert.equal(targetProblem('https://ada@shop.example/', none), 'userinfo')
    assert.equal(targetProblem('https://:secret@shop.example/', none), 'userinfo')
    assert.equal(targetProblem('https://127.0.0.1@shop.example/', none), 'userinfo')
  })

  for (const text of [
    '',
    'shop.example',
    'ftp://shop.example/',
    'https://',
    'https://256.0.0.1/',
    'https://[fe80::1%25eth0]/',
  ]) {
    test(`is a URL, unlike "${text}"`, () => assert.equal(targetProblem(text, none), 'not_a_url'))
  }
})

describe('allowed targets', () => {
  const allowed = readAllowedTargets('localhost:9000, 127.0.0.1:80,[::1]:9000')

  test('accept http and https at that host and port', () => {
    for (const url of [
      'http://localhost:9000/x',
      'https://localhost:9000',
      'http://127.0.0.1/',
      'http://[::1]:9000/',
    ]) {
      assert.equal(targetProblem(url, allowed), null, url)
    }
  })

  test('match in any spelling', () => {
    assert.equal(targetProblem('http://0x7f.1:80/', allowed), null)
    assert.equal(targetProblem('http://LOCALHOST.:9000/', allowed), null)
  })

  test('do not match another host or port', () => {
    assert.equal(targetProblem('https://localhost:9001/', allowed), 'not_public')
    assert.equal(targetProblem('https://127.0.0.1/', allowed), 'not_public')
    assert.equal(targetProblem('http://a.localhost:9000/', allowed), 'not_https')
    assert.equal(targetProblem('http://ada@localhost:9000/', allowed), 'userinfo')
  })

  for (const text of [
    'localhost',
    'localhost:',
    'localhost:0',
    'localhost:70000',
    'a:1/path',
    'ada@a:1',
    'a b:1',
    'http://a:1',
  ]) {
    test(`do not include "${text}"`, () => {
      assert.throws(() => readAllowedTargets(text), /is not a host and a port/)
    })
  }
})

describe('a public address', () => {
  test('is distinguished from similar ones', () => {
    for (const address of ['1.1.1.1', '8.8.8.8', '2001:4860:4860::8888', '172.32.0.1', '100.128.0.1']) {
      assert.equal(isPublicAddress(address), true, address)
    }
    for (const address of ['::ffff:8.8.8.8', 'fe80::1%eth0', '2606:2800::1%lo', 'shop.example', '', '127.1']) {
      assert.equal(isPublicAddress(address), false, address)
    }
  })
})
