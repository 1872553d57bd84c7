import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { atFileEnd } from '../../../../test/support/file-end.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { idSource } from '../../kernel/ids.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { JobRunner, wake } from '../../platform/jobs/index.ts'
import { logger } from '../../platform/observe/logger.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import type { MediaStore } from './media-store.ts'
import { type Media, receivePicture } from './receive-picture.ts'
import { showPictures } from './show-pictures.ts'
import { findPicture } from './store.ts'
import { MEDIA_SWEEP_JOB, sweepPictures } from './sweep.ts'

const DAY_MS = 86_400_000
const lockWaits = statement<{ count: number }>(
  'test.lock_waits',
  `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

const sweepJob = statement<{ lease_until: Date; last_error: string | null }>(
  'test.sweep_job',
  "select lease_until, last_error from jobs where kind = 'media.sweep'",
)

let database: Database
let workDirectory: string
before(async () => {
  ;({ database } = await testDatabase())
  workDirectory = await mkdtemp(join(tmpdir(), 'vitrine-media-'))
  atFileEnd(() => rm(workDirectory, { recursive: true }))
})

/** A store that only knows which pictures have their files, and calls `onRemove` before it removes some. */
function fakeMedia(onRemove: (address: string) => Promise<void> = async () => {}) {
  const stored = new Set<string>()
  const store: MediaStore = {
    save: async (address) => void stored.add(address),
    open: async () => null,
    async remove(address) {
      await onRemove(address)
      stored.delete(address)
    },
  }
  const maker = { make: async () => ({ file: '40.png', width: 40, height: 40, widest: 40, files: [] }) }
  return { stored, media: { store, maker, workDirectory, url: '' } as unknown as Media }
}

const clock = testClock()
const ids = idSource(clock, systemRandomness())
const upload = (media: Media, content: string, on = database) =>
  receivePicture({
    upload: Readable.from([Buffer.from(content)]),
    media,
    database: on,
    clock,
    randomness: testRandomness(),
    record: () => {},
  })

async function sweep(media: Media): Promise<void> {
  await database.transaction(async (tx) => wake(tx, { kind: MEDIA_SWEEP_JOB, subject: 'all', runAt: clock.now() }, ids))
  const handlers = { [MEDIA_SWEEP_JOB]: sweepPictures({ store: media.store, workDirectory, clock }) }
  await new JobRunner(handlers, { database, clock, ids, log: logger('silent') }).runDue()
}

describe('the removal of pictures', () => {
  const unused = async (media: Media, ...contents: readonly string[]) => {
    const addresses: string[] = []
    for (const content of contents) addresses.push((await upload(media, content)).address)
    clock.advance(8 * DAY_MS)
    await sweep(media)
    clock.advance(8 * DAY_MS)
    return addresses
  }
  const job = async () => (await database.reader.row(sweepJob))!

  test('continues after a picture whose files cannot be removed, and is retried for it', async () => {
    const { stored, media } = fakeMedia(async (address) => {
      if (address === locked) throw new Error('The object store has answered DELETE with 403 AccessDenied.')
    })
    const [locked, other] = await unused(media, 'locked', 'not locked')
    await sweep(media)
    assert.deepEqual([stored.has(locked!), stored.has(other!)], [true, false])
    assert.match((await job()).last_error ?? '', /403 AccessDenied/)
  })

  test('keeps its lease while the store is slow, so that no other worker begins it too', async () => {
    const leases: Date[] = []
    const { media } = fakeMedia(async () => {
      clock.advance(40_000)
      leases.push((await job()).lease_until)
    })
    await unused(media, 'slow 1', 'slow 2', 'slow 3')
    leases.length = 0
    const begun = clock.now().getTime()
    await sweep(media)
    assert.deepEqual(
      leases.map((until) => until.getTime() - begun),
      [60_000, 100_000, 140_000],
    )
  })
})

describe('an unused picture that is uploaded again', () => {
  test('has its files, also if they are being removed', async () => {
    let again: Promise<unknown> | null = null
    const { stored, media } = fakeMedia(async () => {
      let isDone = false
      again = upload(media, 'unused').then(() => {
        isDone = true
      })
      // It has saved its files, or waits until the old ones are removed.
      while (!isDone && (await database.reader.row(lockWaits))?.count === 0);
    })
    const { id, address } = await upload(media, 'unused')
    for (let check = 0; check < 2; check += 1) {
      clock.advance(8 * DAY_MS)
      await sweep(media)
    }
    await again
    assert.ok(again !== null && (await findPicture(database.reader, id)))
    assert.deepEqual([...stored], [address])
  })

  test('is made again if it was removed after it was found', async () => {
    const { stored, media } = fakeMedia()
    const id = createHash('sha256').update('found').digest('hex').slice(0, 32)
    const found = { id, address: `${id}-40`, file: '40.png', width: 40, height: 40 }
    const late = { ...database, reader: { ...database.reader, row: async () => found } } as unknown as Database
    assert.deepEqual(await upload(media, 'found', late), found)
    assert.deepEqual([...stored], [found.address])
    assert.deepEqual(await findPicture(database.reader, id), found)
  })
})

describe('a change that shows an unused picture', () => {
  const change = (address: string) => ({ images: [{ url: `https://shop.example/media/${address}/40.png` }] })
  const show = (address: string, beforeCommit: () => Promise<void> = async () => {}) =>
    database.transaction(async (tx) => {
      await showPictures(tx, change(address), 'https://shop.example')
      await beforeCommit()
    })

  test('keeps it from being removed, also if that begins before the change is saved', async () => {
    const { stored, media } = fakeMedia()
    const { id, address } = await upload(media, 'shown')
    clock.advance(8 * DAY_MS)
    await sweep(media)
    clock.advance(8 * DAY_MS)
    const [checked, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const showing = show(address, () => {
      checked.resolve()
      return saved.promise
    })
    await checked.promise
    let isSwept = false
    const sweeping = sweep(media).then(() => {
      isSwept = true
    })
    while (!isSwept && (await database.reader.row(lockWaits))?.count === 0);
    saved.resolve()
    await Promise.all([showing, sweeping])
    assert.ok(await findPicture(database.reader, id))
    assert.deepEqual([...stored], [address])
  })

  test('is refused once it is removed, with the field that names it', async () => {
    const { media } = fakeMedia()
    const { address } = await upload(media, 'removed')
    await show(address)
    for (let check = 0; check < 2; check += 1) {
      clock.advance(8 * DAY_MS)
      await sweep(media)
    }
    const { facts } = await refuses('validation_failed', () => show(address))
    assert.deepEqual(
      facts.faults?.map(({ field, code }) => [field, code]),
      [['images/0/url', 'picture_removed']],
    )
  })

  test('may name a picture that was uploaded elsewhere', async () => {
    const elsewhere = { url: `https://cdn.example/media/${'0'.repeat(32)}-40/40.png` }
    await database.transaction(async (tx) => showPictures(tx, elsewhere, 'https://shop.example'))
  })
})
