// test: long
import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { statement, systemClock } from '@vitrine/server'
import sharp from 'sharp'
import type { CrashPoint } from '../../server/src/platform/crash/crash-points.ts'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { type CrashingServer, startCrashingServer } from '../support/processes/crashing-server.ts'
import { startWorld, type World } from '../support/world.ts'

// The whole service is killed with SIGKILL while it processes an upload, and restarted on the same disk and database.

/** Leftovers of the killed process: entries of its work directory, folders of pictures, and their rows. */
const LEFT = {
  'picture.received': { work: 1, kept: 0, rows: 0 },
  'picture.made': { work: 2, kept: 0, rows: 0 },
  'picture.planned': { work: 2, kept: 0, rows: 1 },
  'picture.kept': { work: 1, kept: 1, rows: 1 },
} satisfies Partial<Record<CrashPoint, object>>
const POINTS = Object.keys(LEFT) as (keyof typeof LEFT)[]
const DAY_MS = 86_400_000

let world: World
let server: CrashingServer
let media: string
before(async () => {
  world = await startWorld()
  await world.import([storeLine('loom')])
  media = join(world.dataDirectory, 'media')
  await mkdir(world.dataDirectory, { recursive: true })
  await writeFile(join(world.dataDirectory, 'operator-token'), OPERATOR_TOKEN, { mode: 0o600 })
  const environment = { DATA_DIR: world.dataDirectory, DATABASE_URL: world.databaseUrl, CRASH_AT: POINTS[0]! }
  server = await startCrashingServer(environment, ['pages', 'operator'])
})

const entriesOf = (folder: string) => readdir(folder).catch(() => [])
const due = statement(
  'test.media_sweep_due',
  `insert into jobs (id, kind, subject, run_at, attempts_max) values ('job_media_sweep', 'media.sweep', 'all', '2000-01-01', 1000)
   on conflict (id) do update set run_at = excluded.run_at`,
)
const rows = statement<{ address: string; made_at: Date | null }>(
  'test.pictures',
  'select address, made_at from pictures',
)

async function left() {
  const [work, folders] = [await entriesOf(join(media, 'incoming')), await entriesOf(media)]
  const kept = await Promise.all(
    folders.filter((name) => name !== 'incoming').map((name) => entriesOf(join(media, name))),
  )
  return { work: work.length, kept: kept.flat().length, rows: (await world.database.reader.rows(rows)).length }
}

async function upload(picture: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${server.operatorUrl}/operator/v1/pictures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
    body: picture,
  })
  const { data } = (await response.json()) as { readonly data: { readonly url: string } }
  return { status: response.status, data }
}

/** Whether the door serves all files of a picture, or none. */
async function served(address: string): Promise<'whole' | 'nothing'> {
  const names = ['320.avif', '320.webp', '500.avif', '500.webp', '500.jpg']
  const statuses = await Promise.all(
    names.map(async (name) => {
      const response = await fetch(`${server.pagesUrl}/media/${address}/${name}`)
      const body = Buffer.from(await response.arrayBuffer())
      if (response.status === 200) assert.equal((await sharp(body).metadata()).width, Number.parseInt(name, 10))
      return response.status
    }),
  )
  assert.equal(new Set(statuses).size, 1, `${address}: ${statuses}`)
  return statuses[0] === 200 ? 'whole' : 'nothing'
}

const addressOf = (url: string) => url.split('/')[4]!

/** Ages the leftovers and runs the job twice, a week apart. The service uses the system clock. */
async function sweep(): Promise<void> {
  world.clock.advance(Math.max(0, systemClock.now().getTime() - world.clock.now().getTime()))
  for (const name of await entriesOf(join(media, 'incoming'))) await utimes(join(media, 'incoming', name), 0, 0)
  for (let run = 0; run < 2; run += 1) {
    world.clock.advance(8 * DAY_MS)
    await world.database.transaction(async (tx) => tx.change(due, []))
    await world.work()
  }
}

/** A unique picture. */
async function photo(seed: number): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: 40 * seed, g: 90, b: 120 }
  return new Uint8Array(
    await sharp({ create: { width: 500, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  )
}

describe('a service that is killed while it processes a picture', () => {
  after(async () => {
    await server.stop()
    // Set by the library when it loads.
    delete process.env.VIPSHOME
  })

  for (const [index, point] of POINTS.entries()) {
    test(`at ${point}, serves no incomplete picture, and its leftovers are removed`, async () => {
      const picture = await photo(index)
      await server.arm(point)
      await assert.rejects(upload(picture), 'no answer, so no product has its URL')
      await server.restart(async () => assert.deepEqual(await left(), LEFT[point]))
      for (const { address } of await world.database.reader.rows(rows)) {
        assert.equal(await served(address), LEFT[point].kept === 1 ? 'whole' : 'nothing')
      }

      await sweep()
      assert.deepEqual(await left(), { work: 0, kept: 0, rows: 0 })
    })
  }

  for (const [index, point] of POINTS.entries()) {
    test(`at ${point}, accepts the same file after the restart, and a product shows the complete picture`, async () => {
      const picture = await photo(index)
      await server.arm(point)
      await assert.rejects(upload(picture))
      await server.restart(async () => {})
      const { status, data } = await upload(picture)
      assert.equal(status, 200)
      const images = [{ url: data.url, width: 500, height: 300 }]
      await world.import([productLine(`shirt-${index}`, { images })], 'loom')
      await sweep()
      assert.equal(await served(addressOf(data.url)), 'whole')
      assert.deepEqual(await left(), { work: 0, kept: index + 1, rows: index + 1 })
    })
  }
})
