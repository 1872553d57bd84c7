import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { MediaStore } from './media-store.ts'
import type { PictureFault, PictureMaker } from './picture-maker.ts'
import { findPicture, type Picture, renewPicture, saveMade, savePlanned } from './store.ts'

/** A photo of 50 megapixels has 15 to 25 MB. */
const UPLOAD_BYTES_MAX = 32 * 1024 * 1024

/** The services that uploads of pictures need. */
export interface Media {
  readonly store: MediaStore
  readonly maker: PictureMaker
  /** For files that are being made. On the file system of the store, if that is a disk. */
  readonly workDirectory: string
  /** The URL that pictures are served below, without a trailing slash. */
  readonly url: string
}

interface PictureUpload {
  readonly upload: Readable
  readonly media: Media
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  /** Records the change, in its transaction. */
  readonly record: (tx: Transaction, picture: Picture) => void
}

/**
 * Receives an upload, makes the files of its picture and saves them. The row of the picture says that they are complete. The upload is
 * never kept: all served files were decoded and encoded again.
 *
 * Refusals: `picture_refused`.
 */
export async function receivePicture(request: PictureUpload): Promise<Picture> {
  const { upload, media, database, clock, randomness, record } = request
  await mkdir(media.workDirectory, { recursive: true, mode: 0o700 })
  const work = join(media.workDirectory, randomness.bytes(16).toString('hex'))
  try {
    const id = await saveUpload(upload, `${work}.upload`)
    const known = await findPicture(database.reader, id)
    const isRenewed =
      known &&
      (await database.transaction(async (tx) => {
        const isThere = await renewPicture(tx, known, clock.now())
        if (isThere) record(tx, known)
        return isThere
      }))
    if (isRenewed) return known
    crashPoint('picture.received')
    const made = await media.maker.make({ source: `${work}.upload`, folder: work })
    if ('refused' in made) return refusePicture(made.refused)
    const { file, width, height, files } = made
    const picture = { id, address: `${id}-${made.widest}`, file, width, height }
    crashPoint('picture.made')
    await database.transaction(async (tx) => savePlanned(tx, picture, clock.now()))
    crashPoint('picture.planned')
    await media.store.save(picture.address, { folder: work, names: files })
    crashPoint('picture.kept')
    await database.transaction(async (tx) => {
      saveMade(tx, picture, clock.now())
      record(tx, picture)
    })
    return picture
  } finally {
    await rm(`${work}.upload`, { force: true })
    await rm(work, { recursive: true, force: true })
  }
}

/** Writes the upload to a file. @returns the beginning of its SHA-256 */
async function saveUpload(upload: Readable, path: string): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, bytes <= UPLOAD_BYTES_MAX ? chunk : undefined)
    },
  })
  // An upload that is too large is read to its end and discarded: a client that is still sending does not read a response.
  await pipeline(upload, measured, createWriteStream(path, { mode: 0o600 }))
  if (bytes > UPLOAD_BYTES_MAX) refusePicture('too_large')
  return hash.digest('hex').slice(0, 32)
}

const MESSAGES: Readonly<Record<PictureFault | 'too_large', string>> = {
  too_large: 'The file is larger than 32 MB. Save the picture smaller.',
  too_many_pixels: 'The picture has more than 64 megapixels. Save it smaller.',
  not_a_picture: 'The file is not a JPEG, PNG, WebP, AVIF or GIF picture. Save it as one of these.',
  damaged: 'The picture is damaged or incomplete. Save it again.',
  too_costly: 'The picture takes too long to decode. Save it smaller or in another format.',
}

function refusePicture(code: PictureFault | 'too_large'): never {
  refuse('picture_refused', { faults: [{ field: '', code, message: MESSAGES[code] }] })
}
