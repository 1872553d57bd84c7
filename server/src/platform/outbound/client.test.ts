import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { answering, startReceiver } from '../../../../test/support/network/receiver.ts'
import { selfSigned } from '../../../../test/support/network/self-signed.ts'
import { type OutboundHttp, type OutboundHttpSettings, outboundHttp } from './client.ts'
import { readAllowedTargets } from './target.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let elsewhere: Awaited<ReturnType<typeof startReceiver>>
before(async () => {
  receiver = await startReceiver()
  elsewhere = await startReceiver()
})

const open: OutboundHttp[] = []
after(() => {
  for (const each of open) each.close()
})

function caller(settings: Partial<OutboundHttpSettings> = {}): OutboundHttp {
  const made = outboundHttp({ allowed: readAllowedTargets(receiver.target), timeoutMs: 2000, ...settings })
  open.push(made)
  return made
}
const impatient = () => caller({ timeoutMs: 150 })
const body = Buffer.from('{"größe":"\\/"}')
const post = (by = caller(), url = receiver.url, signal?: AbortSignal) =>
  by.post({ url, headers: { 'content-type': 'application/json', 'x-asked': 'so' }, body }, signal)
const noAnswer = (reason: string) => ({ kind: 'unanswered', reason })

/** A TCP server that leaves the protocol to its listener. */
async function bareServer(onConnection: Parameters<typeof createSocketServer>[1]): Promise<string> {
  const server = createSocketServer(onConnection)
  return addressOf(server)
}
async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const to = async (target: string, settings: Partial<OutboundHttpSettings> = {}) =>
  post(caller({ allowed: readAllowedTargets(target), ...settings }), `http://${target}/`)

describe('a request to a third party', () => {
  test('sends its headers and bytes, and returns the status', async () => {
    receiver.does(answering(202, { 'retry-after': '7' }))
    assert.deepEqual(await post(), { kind: 'answered', status: 202, retryAfter: '7' })
    const arrival = receiver.arrivals.at(-1)
    assert.deepEqual(arrival?.body, body)
    assert.deepEqual(
      [arrival?.headers['x-asked'], arrival?.headers['content-length'], arrival?.headers['transfer-encoding']],
      ['so', String(body.length), undefined],
    )
  })

  test('follows no redirect', async () => {
    receiver.does(answering(307, { location: `${elsewhere.url}/` }))
    assert.deepEqual(await post(), { kind: 'answered', status: 307, retryAfter: undefined })
    assert.deepEqual(elsewhere.arrivals, [])
  })

  test('reads at most 64 KiB of a response', async () => {
    let sent = 0
    const { promise: cut, resolve } = Promise.withResolvers<void>()
    receiver.does((_arrival, response) => {
      response.writeHead(200).on('close', resolve)
      const more = () => {
        while (sent < 10_485_760) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    assert.deepEqual(await post(), { kind: 'answered', status: 200, retryAfter: undefined })
    await cut
    assert(sent < 10_485_760, `${sent} bytes were sent`)
  })

  test('times out without a response', async () => {
    receiver.does(() => {})
    assert.deepEqual(await post(impatient()), noAnswer('timeout'))
  })

  test('times out with a slow body', async () => {
    receiver.does((_arrival, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    assert.deepEqual(await post(impatient()), noAnswer('timeout'))
  })

  test('times out with slow headers', async () => {
    const target = await bareServer((socket) => {
      const drip = setInterval(() => socket.write('x'), 20)
      socket.write('HTTP/1.1 200 OK\r\nx-long: ')
      socket.on('error', () => {}).on('close', () => clearInterval(drip))
    })
    assert.deepEqual(await to(target, { timeoutMs: 150 }), noAnswer('timeout'))
  })

  test('fails with endless headers', async () => {
    const target = await bareServer((socket) => {
      socket.on('error', () => {}).write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`)
    })
    assert.deepEqual(await to(target), noAnswer('answer_invalid'))
  })

  test('fails with invalid HTTP', async () => {
    const target = await bareServer((socket) => void socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'))
    assert.deepEqual(await to(target), noAnswer('answer_invalid'))
  })

  for (const status of ['999', '600', '099', '000']) {
    test(`rejects status ${status}`, async () => {
      const target = await bareServer((socket) => {
        socket.on('error', () => {}).end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`)
      })
      const answer = await to(target)
      assert.equal(answer.kind, 'unanswered')
    })
  }

  test('fails if the connection is reset, refused or upgraded', async () => {
    const resetting = await bareServer((socket) => void socket.resetAndDestroy())
    assert.deepEqual(await to(resetting), noAnswer('connection_lost'))
    const turning = await bareServer((socket) => {
      socket
        .on('error', () => {})
        .write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
    })
    assert.deepEqual(await to(turning), noAnswer('connection_lost'))
    const gone = await startReceiver()
    await gone.close()
    assert.deepEqual(await to(gone.target), noAnswer('connection_failed'))
  })

  test('fails with an incomplete response', async () => {
    const target = await bareServer((socket) => {
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nnot all of it')
    })
    assert.deepEqual(await to(target), noAnswer('connection_lost'))
  })

  test('ends at a shutdown', async () => {
    receiver.does(() => {})
    const stopped = new AbortController()
    const asked = post(caller(), receiver.url, stopped.signal)
    setImmediate(() => stopped.abort())
    assert.deepEqual(await asked, noAnswer('stopped'))
    assert.deepEqual(await post(caller(), receiver.url, stopped.signal), noAnswer('stopped'))
  })

  test('reuses an idle connection, and sends a request once even if its connection is lost', async () => {
    let connections = 0
    let answers = 0
    const target = await bareServer((socket) => {
      connections += 1
      socket.on('error', () => {})
      socket.on('data', () => {
        answers += 1
        // The third call is read, and never answered.
        if (connections === 1 && answers === 3) socket.resetAndDestroy()
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      })
    })
    const keeping = caller({ allowed: readAllowedTargets(target) })
    const answered = { kind: 'answered', status: 204, retryAfter: undefined }
    const lost = { kind: 'unanswered', reason: 'connection_lost' }
    for (const [count, expected] of [answered, answered, lost, answered].entries()) {
      assert.deepEqual(await post(keeping, `http://${target}/`), expected)
      assert.deepEqual([answers, connections], [count + 1, count < 3 ? 1 : 2])
    }
  })

  test('ignores proxies of the environment', async () => {
    process.env.http_proxy = elsewhere.url
    process.env.NODE_USE_ENV_PROXY = '1'
    receiver.does(answering(204))
    await post()
    delete process.env.http_proxy
    delete process.env.NODE_USE_ENV_PROXY
    assert.deepEqual(elsewhere.arrivals, [])
  })
})

describe('a name', () => {
  const resolvingTo = (...addresses: string[]) => caller({ resolve: async () => addresses })
  const url = 'https://hooks.shop.example/'

  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fd00::1',
  ]) {
    test(`that resolves to ${address} is not called`, async () => {
      assert.deepEqual(await post(resolvingTo(address), url), noAnswer('target_not_allowed'))
    })
  }

  test('is not called if one of its addresses is not public, in any order', async () => {
    assert.deepEqual(await post(resolvingTo('93.184.215.14', '127.0.0.1'), url), noAnswer('target_not_allowed'))
    assert.deepEqual(await post(resolvingTo('127.0.0.1', '93.184.215.14'), url), noAnswer('target_not_allowed'))
  })

  test('that does not resolve is not called', async () => {
    assert.deepEqual(await post(resolvingTo(), url), noAnswer('name_not_resolved'))
    const failing = caller({ resolve: () => Promise.reject(new Error('SERVFAIL at 10.0.0.53')) })
    assert.deepEqual(await post(failing, url), noAnswer('name_not_resolved'))
  })

  test('is resolved once per connection, and the checked address is used', async () => {
    const asked: string[] = []
    const changing = caller({
      resolve: async (name) => {
        asked.push(name)
        // Public at first, and loopback from then on.
        return asked.length === 1 ? ['192.0.2.1'] : ['127.0.0.1']
      },
    })
    assert.deepEqual(await post(changing, url), noAnswer('target_not_allowed'))
    assert.deepEqual(asked, ['hooks.shop.example'])
    assert.deepEqual(await post(changing, url), noAnswer('target_not_allowed'))
    assert.equal(asked.length, 2)
  })

  test('is not resolved for an IP address, which is checked itself', async () => {
    const never = caller({ resolve: () => assert.fail('an address was resolved') })
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254']) {
      assert.deepEqual(await post(never, `https://${host}/`), noAnswer('target_not_allowed'), host)
    }
  })
})

describe('https', () => {
  test('requires a trusted certificate', async () => {
    const certificate = selfSigned()
    const server = createSecureServer(certificate, (_request, response) => response.end())
    const target = await addressOf(server)
    const secure = caller({ allowed: readAllowedTargets(target) })
    assert.deepEqual(await post(secure, `https://${target}/`), noAnswer('tls_failed'))
    const trusting = caller({ allowed: readAllowedTargets(target), ca: certificate.cert })
    assert.deepEqual(await post(trusting, `https://${target}/`), {
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
    })
  })
})
