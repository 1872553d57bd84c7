import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { PublicErrorResponse } from '@vitrine/contract'
import { Compile } from 'typebox/compile'
import { startWorld, type World } from '../support/world.ts'

const schema = Compile(PublicErrorResponse)
const REGISTER = 'POST /api/v1/auth/register HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\n'
const GET = 'GET /api/v1/runtime-config HTTP/1.1\r\n'
const STATUSES = ['200', '400', '401', '403', '404', '429']

let world: World
before(async () => {
  world = await startWorld()
})

interface Reply {
  readonly statuses: readonly string[]
  readonly text: string
}

/** Sends raw bytes, and reads until the server closes the connection or has been idle after a response. */
function talk(bytes: string | Buffer | readonly (string | Buffer)[], hangUp = false): Promise<Reply> {
  const { hostname, port } = new URL(world.origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    let silence: NodeJS.Timeout | undefined
    const end = () => {
      clearTimeout(silence)
      socket.destroy()
      resolve({ text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status) })
    }
    socket.on('connect', async () => {
      for (const part of Array.isArray(bytes) ? bytes : [bytes]) socket.write(part as Buffer)
      if (hangUp) socket.end()
      silence = setTimeout(end, 1500)
    })
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(silence)
      silence = setTimeout(end, 60)
    })
    socket.on('error', end)
    socket.on('close', end)
  })
}

/** Asserts that each response follows the contract, and is neither a 5xx nor a default response of the HTTP library. */
function assertOurs({ statuses, text }: Reply): void {
  for (const status of statuses) assert(STATUSES.includes(status), text.slice(0, 500))
  for (const part of text.split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean)) {
    if (/^HTTP\/1\.1 (2|100|304)/.test(part)) continue
    const body = part.slice(part.indexOf('\r\n\r\n') + 4)
    const value: unknown = JSON.parse(body)
    assert(schema.Check(value), body)
    assert.match(part, /x-request-id: req_/i)
    assert.doesNotMatch(part, /node:|\bat \/|stack/i)
  }
}

const refused: readonly (readonly [string, string | Buffer | readonly (string | Buffer)[]])[] = [
  ['noise', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
  ['a line that is no request', 'hello\r\n\r\n'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method that there is not', 'FETCH /api/v1/runtime-config HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a version that there is not', 'GET /api/v1/runtime-config HTTP/9.9\r\nHost: a\r\n\r\n'],
  ['a header without a colon', `${GET}Host: a\r\nbroken\r\n\r\n`],
  ['a space before the colon', `${GET}Host: a\r\nAuthorization : Bearer x\r\n\r\n`],
  ['a folded header', `${GET}Host: a\r\nX-A: b\r\n c\r\n\r\n`],
  ['a NUL in a header', `${GET}Host: a\r\nX-A: b\0c\r\n\r\n`],
  ['headers of 20 KiB', `${GET}Host: a\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['an address of 20 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['two different lengths', `${REGISTER}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a length and chunks at once', `${REGISTER}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a length that is no number', `${REGISTER}Content-Length: two\r\n\r\n{}`],
  ['a length below zero', `${REGISTER}Content-Length: -1\r\n\r\n{}`],
  ['a chunk whose size is no number', `${REGISTER}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['a transfer coding that there is not', `${REGISTER}Transfer-Encoding: rot13\r\n\r\n{}`],
  ['no Host', `${GET}\r\n`],
  ['two Hosts', `${GET}Host: a\r\nHost: b\r\n\r\n`],
  ['an unsupported expectation', `${GET}Host: a\r\nExpect: miracles\r\n\r\n`],
  ['an upgrade that we do not offer', `${GET}Host: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  ["another server's address", 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a broken escape', 'GET /api/v1/catalog/products/%zz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an escape that is no UTF-8', 'GET /api/v1/catalog/products/%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a broken escape in the query', 'GET /api/v1/catalog/products?q=%zz HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'non-ASCII bytes in the path',
    Buffer.from('GET /api/v1/catalog/products/m\xfcg HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1'),
  ],
  [
    'a query of ten thousand parameters',
    `GET /api/v1/catalog/products?${'a=1&'.repeat(2500)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ],
  ['a body where none belongs', `${GET}Host: a\r\nContent-Length: 5\r\n\r\nhello`],
  ['a body longer than it said', `${REGISTER}Content-Length: 2\r\n\r\n{}garbage\r\n\r\n`],
  ['a body in a coding that we do not read', `${REGISTER}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`],
  ['a megabyte and more in chunks', [`${REGISTER}Transfer-Encoding: chunked\r\n\r\n`, ...chunks(20, 64 * 1024)]],
  ['a length of nine exabytes', `${REGISTER}Content-Length: 9223372036854775807\r\n\r\n{}`],
  ['many requests at once, one of them broken', `${GET}Host: a\r\n\r\n${GET}Host: a\r\n\r\nbroken\r\n\r\n`],
]

function chunks(count: number, size: number): string[] {
  return [...Array(count).fill(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`), '0\r\n\r\n']
}

describe('a broken request', () => {
  for (const [what, bytes] of refused) {
    test(`by ${what} gets our response or a closed connection`, async () => assertOurs(await talk(bytes)))
  }

  test('gets our error body if it is not HTTP at all', async () => {
    const { statuses, text } = await talk('hello\r\n\r\n')
    assert.deepEqual(statuses, ['400'])
    assert.match(text, /"code":"validation_failed"/)
  })

  test('gets 400 payload_too_large before it has sent the announced body', async () => {
    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const { statuses, text } = await talk(`${REGISTER}${expectation}Content-Length: 2000000\r\n\r\n`)
      assert.deepEqual(statuses, ['400'])
      assert.match(text, /"code":"payload_too_large"/)
    }
  })

  test('gets 100 Continue only if the operation takes a body', async () => {
    const expecting = 'Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'
    const wanted = await talk([`POST /api/v1/auth/register HTTP/1.1\r\nHost: a\r\n${expecting}`, '{}'])
    assert.deepEqual(wanted.statuses, ['100', '400'])
    const unwanted = await talk(`POST /api/v1/open/storefront/carts HTTP/1.1\r\nHost: a\r\n${expecting}`)
    assert.deepEqual(unwanted.statuses, ['401'])
  })

  test('gets an error that says what is wrong', async () => {
    await world.anonymous.get('/api/v1/runtime-config')
    const long = 'x'.repeat(20_000)
    const cases: readonly (readonly [string, RegExp])[] = [
      [`${GET}Host: a\r\nHost: b\r\n\r\n`, /"pointer":"Host","code":"not_unique"/],
      [`${GET}Host: a b\r\n\r\n`, /"pointer":"Host","code":"wrong_format"/],
      ['GET /api/v1/runtime-config HTTP/2.0\r\nHost: a\r\n\r\n', /Send HTTP\/1\.1/],
      [
        `${GET}Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
        /"pointer":"Authorization","code":"not_unique"/,
      ],
      [
        `${REGISTER}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
        /"pointer":"Content-Type","code":"not_unique"/,
      ],
      [`${REGISTER}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, /"pointer":"Transfer-Encoding"/],
      [
        `${REGISTER}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
        /"code":"unsupported_media_type".*Content-Encoding/,
      ],
      [`${GET}Host: a\r\nX-A: ${long}\r\n\r\n`, /"code":"payload_too_large".*16 KiB/],
      [`GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`, /"code":"payload_too_large".*16 KiB/],
      [`${REGISTER}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, /The chunks are broken/],
      ['GET /api/v1/catalog/products?q=%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n', /"pointer":"\/q","code":"wrong_format"/],
    ]
    for (const [bytes, said] of cases) {
      const { statuses, text } = await talk(bytes)
      assert.deepEqual(statuses, ['400'], text)
      assert.match(text, said)
      assert.match(text, /^cache-control: private, no-store\r$/im, 'as every refusal')
      assert.match(text, /^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r$/im, 'RFC 9110 §6.6.1')
    }
  })

  test('after another one on its connection leaves that its own response', async () => {
    const person = { email: 'ada@example.com', password: 'a password of ada', firstName: 'Ada', acceptedDocuments: [] }
    const body = JSON.stringify(person)
    const { statuses, text } = await talk(`${REGISTER}Content-Length: ${body.length}\r\n\r\n${body}garbage\r\n\r\n`)
    assert.deepEqual(statuses, ['200', '400'], text)
    assert.match(text, /"status":"accepted".*This is not valid HTTP/s)
  })

  test('with an unknown method is 404', async () => {
    for (const method of ['QUERY', 'PROPFIND']) {
      const { statuses } = await talk(`${method} /api/v1/runtime-config HTTP/1.1\r\nHost: a\r\n\r\n`)
      assert.deepEqual(statuses, ['404'], method)
    }
  })

  test('gets a 401 before its body is sent', async () => {
    const head = `POST /api/v1/open/storefront/carts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
    const { statuses } = await talk(`${head}Content-Length: 500000\r\n\r\n`)
    assert.deepEqual(statuses, ['401'])
  })
})

describe('an upload', () => {
  test('that is aborted changes nothing, and others are served', async () => {
    for (const part of ['', '{', '{"email":"ada@example.com"']) {
      await talk(`${REGISTER}Content-Length: 200\r\n\r\n${part}`, true)
    }
    const { status } = await world.anonymous.get('/api/v1/runtime-config')
    assert.equal(status, 200)
  })

  test('that never ends is closed: each request has a time limit', () => {
    const { requestTimeout, headersTimeout, keepAliveTimeout } = world.app.publicDoor.server
    for (const timeout of [requestTimeout, headersTimeout, keepAliveTimeout]) {
      assert(timeout > 0 && timeout <= 120_000, `${timeout} ms`)
    }
  })

  test('sent byte by byte is read completely', async () => {
    const body = '{"zz":1}'
    const bytes = [...`${REGISTER}Content-Length: ${body.length}\r\n\r\n${body}`]
    const { statuses, text } = await talk(bytes)
    assert.deepEqual(statuses, ['400'])
    assert.match(text, /unknown_field/)
  })
})

describe('a hundred broken requests at once', () => {
  test('are all answered or closed, and the server keeps running', async () => {
    const all = Array.from({ length: 100 }, (_, index) => refused[index % refused.length]?.[1] ?? '')
    for (const reply of await Promise.all(all.map((bytes) => talk(bytes)))) assertOurs(reply)
    const { status } = await world.anonymous.get('/api/v1/runtime-config')
    assert.equal(status, 200)
  })
})
