import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { drippingServer, ENDLESS_ANSWER } from '../../../../test/support/network/dripping-server.ts'
import { type S3Settings, s3Store } from './s3-store.ts'

/*
 * A bucket that accepts a request only if another library computes the same signature, and if its body is the signed one.
 */
const clock = { now: () => new Date('2026-11-21T10:20:30Z') }
const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const objects = new Map<string, Buffer>()
let failing = 0
/** The connection of the last failure, whose body does not end. */
let unread: Promise<unknown> | null = null
/** How long the line needs for the body of a request or of an answer. */
let bodyMs = 0

const bucket = createServer(async (request, response) => {
  const body = await buffer(request)
  if (failing > 0) {
    failing -= 1
    unread = once(response, 'close')
    return response.writeHead(503).write('<Error><Code>SlowDown</Code>')
  }
  const path = request.url ?? ''
  const expected = await new AwsClient({ ...KEY, service: 's3', region: 'eu-central-1' }).sign(
    `http://${request.headers.host}${path}`,
    {
      method: request.method ?? '',
      headers: {
        'x-amz-content-sha256': String(request.headers['x-amz-content-sha256']),
      },
      aws: { datetime: String(request.headers['x-amz-date']) },
    },
  )
  const hash = createHash('sha256').update(body).digest('hex')
  const isSigned = request.headers.authorization === expected.headers.get('authorization')
  if (!isSigned || request.headers['x-amz-content-sha256'] !== hash) {
    return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
  }
  const found = objects.get(path)
  if (request.method === 'PUT') {
    await pause(bodyMs)
    objects.set(path, body)
  }
  if (request.method === 'DELETE') objects.delete(path)
  if (request.method !== 'GET') return response.writeHead(request.method === 'PUT' ? 200 : 204).end()
  if (!found) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  response.writeHead(200, { 'content-length': found.length }).write(found.subarray(0, 1))
  await pause(bodyMs)
  return response.end(found.subarray(1))
})

let settings: S3Settings
let folder: string
before(async () => {
  await new Promise<void>((done) => bucket.listen(0, '127.0.0.1', done))
  const { port } = bucket.address() as { port: number }
  const { accessKeyId: keyId, secretAccessKey: secret } = KEY
  settings = { endpoint: `http://127.0.0.1:${port}`, region: 'eu-central-1', bucket: 'pictures', keyId, secret }
  folder = await mkdtemp(join(tmpdir(), 'vitrine-s3-'))
  await writeFile(join(folder, '320.webp'), 'a picture')
  await writeFile(join(folder, '320.jpg'), 'the same picture')
})
after(() => bucket.close())

const ADDRESS = '0123456789abcdef0123456789abcdef-320'
const names = ['320.webp', '320.jpg']

describe('the object store', () => {
  test('saves, opens and removes files with the signatures that another implementation computes', async () => {
    const store = s3Store(settings, clock)
    await store.save(ADDRESS, { folder, names })
    assert.deepEqual([...objects.keys()].sort(), names.map((name) => `/pictures/media/${ADDRESS}/${name}`).sort())

    const found = await store.open(ADDRESS, '320.jpg')
    assert.equal(found?.bytes, 16)
    assert.equal((await buffer(found!.body)).toString(), 'the same picture')

    await store.remove(ADDRESS, names)
    assert.equal(objects.size, 0)
    assert.equal(await store.open(ADDRESS, '320.jpg'), null)
  })

  test('tries again when the store is busy, and leaves no connection with the rest of its answer', {
    timeout: 10_000,
  }, async () => {
    failing = 2
    await s3Store(settings, clock).save(ADDRESS, { folder, names })
    assert.equal(objects.size, 2)
    await unread
  })

  test('saves and opens a large file on a slow line, and gives up a store that does not answer', async (t) => {
    const waitMs = 300
    const store = s3Store(settings, clock, { answerMsMax: waitMs })
    // Its time on the slowest line is half a second.
    await writeFile(join(folder, '640.jpg'), Buffer.alloc(8 * 1024, 'large '))
    t.after(() => {
      bodyMs = 0
    })
    bodyMs = 400
    await store.save(ADDRESS, { folder, names: ['640.jpg'] })
    assert.equal((await buffer((await store.open(ADDRESS, '640.jpg'))!.body)).length, 8 * 1024)
    bodyMs = 2_000
    await assert.rejects(store.save(ADDRESS, { folder, names }), /has not answered PUT in time/)
  })

  test('gives up a store that drips its answer to a change', { timeout: 30_000 }, async () => {
    await using drips = await drippingServer(ENDLESS_ANSWER)
    const store = s3Store({ ...settings, endpoint: drips.url }, clock, { answerMsMax: 200 })
    await assert.rejects(store.save(ADDRESS, { folder, names }), /has not answered PUT in time/)
    await assert.rejects(store.remove(ADDRESS, names), /has not answered DELETE in time/)
    await drips.allClosed()
  })

  test('gives up a silent store once the time for all attempts to open a file is over', {
    timeout: 15_000,
  }, async (t) => {
    const silent = createServer(() => {})
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    t.after(() => silent.close().closeAllConnections())
    const { port } = silent.address() as { port: number }
    const store = s3Store({ ...settings, endpoint: `http://127.0.0.1:${port}` }, clock, { openingMsMax: 200 })
    await assert.rejects(store.open(ADDRESS, '320.jpg'), /has not answered GET in time/)
  })

  test('reports the error of the store, without the key', async () => {
    const store = s3Store({ ...settings, secret: 'not the secret' }, clock)
    await assert.rejects(store.save(ADDRESS, { folder, names }), /PUT with 403 SignatureDoesNotMatch\.$/)
    await assert.rejects(store.open(ADDRESS, '320.jpg'), /GET with 403/)
  })
})
