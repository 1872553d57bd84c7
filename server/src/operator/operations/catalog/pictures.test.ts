// test: long
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { statement } from '@vitrine/server'
import sharp from 'sharp'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { fileAt, PictureMaker } from '../../../features/media/index.ts'

type Bytes = Uint8Array<ArrayBuffer>

let world: World
let operator: OperatorClient
let pages: string
/** A photo of 700 × 500, upright only when turned, with the place where it was taken. */
let photo: Bytes
before(async () => {
  world = await startWorld()
  await world.import([storeLine('loom')])
  operator = await operatorClient(world)
  pages = await world.openPages()
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  photo = bytesOf(
    await sharp({ create: { width: 700, height: 500, channels: 3, background: '#a86', noise } })
      .withExif({ IFD0: { Artist: 'A. Photographer' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  )
})

// Set by the library when it loads.
after(() => void delete process.env.VIPSHOME)

const bytesOf = (buffer: Buffer): Bytes => new Uint8Array(buffer)

async function upload(file: Bytes) {
  const response = await fetch(`${operator.origin}/operator/v1/pictures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
    body: file,
  })
  return { status: response.status, body: (await response.json()) as { data: { url: string }; details: Fault[] } }
}
interface Fault {
  readonly code: string
  readonly message: string
}

const pathOf = (url: string) => fileAt(url.split('/media/')[1]!)!
/** Reads the body as well: a connection with an unread one stays open. */
async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}
const fetched = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

describe('uploadPicture', () => {
  test('200: the picture is upright, in several widths and types, and does not contain its location', async () => {
    const { url, width, height } = await operator.upload('/pictures', photo)
    assert.deepEqual([width, height], [500, 700])
    assert.match(url, new RegExp(`^${pages}/media/[0-9a-f]{32}-500/500\\.jpg$`))
    for (const name of ['320.avif', '320.webp', '500.avif', '500.webp', '500.jpg']) {
      const file = await fetched(url.replace('500.jpg', name))
      const { width: own, format, exif, xmp, icc } = await sharp(file).metadata()
      assert.equal(own, Number.parseInt(name, 10))
      assert.ok(name.endsWith({ jpeg: 'jpg', heif: 'avif' }[format as string] ?? format), `${name} is ${format}`)
      assert.deepEqual([exif, xmp, icc], [undefined, undefined, undefined])
      assert.ok(!file.includes('Photographer'))
    }
    const served = await fetch(url)
    await served.arrayBuffer()
    assert.equal(served.headers.get('content-type'), 'image/jpeg')
    assert.match(served.headers.get('cache-control')!, /immutable/)
    const again = await fetch(url, { headers: { 'if-none-match': served.headers.get('etag')! } })
    assert.equal(again.status, 304)
  })

  test('200: the same file again is the same picture', async () => {
    const [first, second] = [await operator.upload('/pictures', photo), await operator.upload('/pictures', photo)]
    assert.deepEqual(first, second)
  })

  test('200: a product shows it with the sources of a picture element', async () => {
    const { url, width, height } = await operator.upload('/pictures', photo)
    await world.import([productLine('shirt', { images: [{ url, width, height, alt: { en: 'A shirt' } }] })], 'loom')
    const { body } = await world.anonymous.get('/api/v1/catalog/products')
    const { thumbnail } = body.data[0]
    assert.equal(thumbnail.url, url)
    assert.deepEqual(
      thumbnail.sources.map(({ type }: { type: string }) => type),
      ['image/avif', 'image/webp'],
    )
    for (const { srcset } of thumbnail.sources) {
      for (const each of srcset.split(', ')) assert.equal(await statusOf(each.split(' ')[0]), 200)
    }
  })

  test('400 picture_refused: each says what is wrong and what to do', async () => {
    const cases: readonly (readonly [code: string, file: Bytes])[] = [
      [
        'not_a_picture',
        bytesOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
      ],
      ['not_a_picture', bytesOf(Buffer.from('%PDF-1.7 not a picture'))],
      ['not_a_picture', new Uint8Array()],
      ['damaged', photo.slice(0, photo.length / 2)],
      ['too_many_pixels', bombOf(10_000, 10_000)],
      ['too_large', new Uint8Array(33 * 1024 * 1024)],
    ]
    for (const [code, file] of cases) {
      const { status, body } = await upload(file)
      assert.equal(status, 400, code)
      assert.deepEqual([body.details[0]?.code], [code])
    }
  })
})

/** A PNG of a few bytes that declares a size, with at most 4 MB of black pixels when decoded. */
function bombOf(width: number, height: number): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(Math.min(width * height + height, 4_000_000)))
  return bytesOf(Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]))
}

describe('100 hostile pictures', () => {
  test('are refused or made harmless, and leave nothing', async () => {
    const randomness = testRandomness()
    process.stdout.write(`hostile pictures: seed ${randomness.seed}\n`)
    const random = (max: number) => randomness.bytes(4).readUInt32BE() % max
    const formats = await Promise.all(
      (['jpeg', 'png', 'webp', 'gif', 'avif'] as const).map((format) =>
        sharp({ create: { width: 64, height: 48, channels: 3, background: '#285' } })
          .toFormat(format)
          .toBuffer(),
      ),
    )
    const script = '<script>alert(document.cookie)</script>'
    const some = () => formats[random(formats.length)]!
    const kinds: readonly (() => Buffer)[] = [
      // Polyglots: a picture that is a page, an archive or a program as well.
      () => Buffer.concat([some(), Buffer.from(`<!doctype html>${script}`)]),
      () => Buffer.concat([some(), Buffer.from('PK\u0003\u0004'), randomness.bytes(200)]),
      () => Buffer.concat([Buffer.from(`GIF89a/*`), randomness.bytes(8), Buffer.from('*/=1;alert(1)//')]),
      () =>
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}<rect width="${random(99)}"/></svg>`,
        ),
      () => Buffer.from(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><svg>&b;</svg>`),
      // Bombs, truncated files, and files with a wrong byte.
      () => Buffer.from(bombOf(8000 + random(50_000), 8100 + random(50_000))),
      () => some().subarray(0, 1 + random(40)),
      () => {
        const file = Buffer.from(formats[random(2)]!)
        for (let nth = 0; nth < 8; nth += 1) file[20 + random(file.length - 20)] = random(256)
        return file
      },
      () => randomness.bytes(1 + random(2000)),
      () => Buffer.from(`#define x_width ${random(9)}\n#define x_height 1\nstatic char x_bits[] = {0};`),
    ]
    let refused = 0
    for (let nth = 0; nth < 100; nth += 1) {
      const file = bytesOf(kinds[nth % kinds.length]!())
      const { status, body } = await upload(file)
      if (status === 400) {
        refused += 1
        continue
      }
      assert.equal(status, 200, `picture ${nth}: ${JSON.stringify(body)}`)
      const { address } = pathOf(body.data.url)
      const folder = join(world.dataDirectory, 'media', address.slice(0, 2), address)
      for (const name of await readdir(folder)) {
        const served = await fetch(`${pages}/media/${address}/${name}`)
        const made = Buffer.from(await served.arrayBuffer())
        assert.match(served.headers.get('content-type')!, /^image\/(avif|webp|jpeg|png)$/)
        assert.match(served.headers.get('content-security-policy')!, /sandbox/)
        assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
        for (const part of ['<script', '<!doctype', 'PK\u0003\u0004', 'alert(']) assert.ok(!made.includes(part), name)
      }
    }
    process.stdout.write(`hostile pictures: ${refused} refused, ${100 - refused} made harmless\n`)
    assert.ok(refused >= 60)
    assert.deepEqual(await readdir(join(world.dataDirectory, 'media', 'incoming')), [])
  })

  test('an animation of 300 frames is reduced to its first frame', async () => {
    const frame = Buffer.alloc(200 * 200 * 3, 40)
    const frames = Buffer.concat(Array.from({ length: 300 }, (_, nth) => Buffer.from(frame).fill(nth % 256)))
    const gif = await sharp(frames, { raw: { width: 200, height: 200 * 300, channels: 3, pageHeight: 200 } })
      .gif({ effort: 1 })
      .toBuffer()
    const { width, height } = await operator.upload('/pictures', bytesOf(gif))
    assert.deepEqual([width, height], [200, 200])
  })
})

const pictures = statement<{ address: string; made_at: Date | null }>(
  'test.pictures',
  'select address, made_at from pictures where id = $1',
)

describe('an upload that is interrupted', () => {
  test('is refused if the decoding process is killed, and the next one succeeds', async () => {
    const maker = new PictureMaker()
    const folder = join(world.dataDirectory, 'killed')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'photo'), photo)
    const order = (name: string) => ({ source: join(folder, 'photo'), folder: join(folder, name) })
    const made = maker.make(order('first'))
    await Promise.resolve()
    process.kill(maker.processId!, 'SIGKILL')
    assert.deepEqual(await made, { refused: 'damaged' })
    const second = await maker.make(order('second'))
    assert.ok('files' in second)
    await maker.close()
  })

  test('fails if a file cannot be written, and does not blame the picture', async () => {
    const maker = new PictureMaker()
    const folder = join(world.dataDirectory, 'unwritable')
    await mkdir(join(folder, 'files', '320.avif'), { recursive: true })
    await writeFile(join(folder, 'photo'), photo)
    const task = { source: join(folder, 'photo'), folder: join(folder, 'files') }
    await assert.rejects(maker.make(task), { code: 'EISDIR' })
    await maker.close()
  })

  test('is refused if decoding takes too long', async () => {
    const maker = new PictureMaker(1)
    await writeFile(join(world.dataDirectory, 'photo'), photo)
    const made = await maker.make({
      source: join(world.dataDirectory, 'photo'),
      folder: join(world.dataDirectory, 'slow'),
    })
    assert.deepEqual(made, { refused: 'too_costly' })
  })

  test('leaves nothing if its client disconnects', async () => {
    const incoming = join(world.dataDirectory, 'media', 'incoming')
    const abort = new AbortController()
    const slow = new ReadableStream({
      async pull(controller) {
        controller.enqueue(photo.slice(0, 1000))
        abort.abort()
      },
    })
    const init = { method: 'POST', body: slow, duplex: 'half', signal: abort.signal }
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' }
    await assert.rejects(fetch(`${operator.origin}/operator/v1/pictures`, { ...init, headers } as RequestInit))
    // A later upload is answered after the first has ended.
    await operator.upload('/pictures', photo)
    assert.deepEqual(await readdir(incoming), [])
  })
})

describe('unused pictures', () => {
  test('are removed a week after they were found, and those of a product stay', async () => {
    const shade = (background: string) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer()
    const [kept, lost] = [bytesOf(await shade('#123456')), bytesOf(await shade('#654321'))]
    const undoable = await operator.upload('/pictures', bytesOf(await shade('#abcdef')))
    await world.database.transaction(async (tx) => {
      await tx.change(addImport, [world.clock.now()])
      await tx.change(addJournal, [JSON.stringify({ line: { images: [{ url: undoable.url }] } }), world.clock.now()])
    })
    const [used, unused] = [await operator.upload('/pictures', kept), await operator.upload('/pictures', lost)]
    await world.import([productLine('belt', { images: [{ url: used.url, width: 40, height: 40 }] })], 'loom')

    const days = async (count: number) => {
      world.clock.advance(count * 86_400_000)
      await world.database.transaction(async (tx) => tx.change(sweepDue, []))
      await world.work()
    }
    await world.database.transaction(async (tx) => tx.change(enqueueSweep, [world.clock.now()]))
    await days(8)
    assert.equal(await statusOf(unused.url), 200, 'found, and still there')
    await days(8)
    assert.equal(await statusOf(unused.url), 404)
    assert.equal(await statusOf(used.url), 200)
    assert.equal(await statusOf(undoable.url), 200, 'an undo would show it again')
    const { address } = pathOf(unused.url)
    assert.ok(!existsSync(join(world.dataDirectory, 'media', address.slice(0, 2), address)))
    assert.equal(await world.database.reader.row(pictures, [address.slice(0, 32)]), undefined)
    const logo = { url: unused.url, alt: 'A logo', width: 40, height: 40 }
    const refused = await operator.send('PUT', '/site', { name: 'Loom', logo })
    assert.equal(refused.status, 400, 'a picture that was removed cannot be shown')
    assert.deepEqual([refused.body.details[0].pointer, refused.body.details[0].code], ['/logo/url', 'picture_removed'])
    await operator.change('PUT', '/site', { name: 'Loom', logo: { ...logo, url: used.url } })
  })
})

const enqueueSweep = statement(
  'test.enqueue_media_sweep',
  `insert into jobs (id, kind, subject, run_at, attempts_max)
   values ('job_media_sweep', 'media.sweep', 'all', $1, 1000)`,
)
const addImport = statement(
  'test.add_import',
  `insert into catalog_imports (id, format, started_at, updated_at) values ('imp_1', 'csv', $1, $1)`,
)
const addJournal = statement(
  'test.add_import_journal',
  `insert into catalog_import_products (import_id, product_id, version, before, written_at)
   values ('imp_1', 'prod_gone', 1, $1, $2)`,
)
const sweepDue = statement('test.media_sweep_due', `update jobs set run_at = '2000-01-01' where kind = 'media.sweep'`)
