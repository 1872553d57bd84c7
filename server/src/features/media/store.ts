import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** A picture whose files are complete. */
export interface Picture {
  readonly id: string
  readonly address: string
  readonly file: string
  readonly width: number
  readonly height: number
}

const findMade = statement<Picture>(
  'media.find_picture',
  'select id, address, file, width, height from pictures where id = $1 and made_at is not null',
)

/** A picture that is uploaded again is about to be used. */
const savePicture = statement(
  'media.save_picture',
  `insert into pictures (id, address, file, width, height, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (id) do update set created_at = excluded.created_at, unused_since = null`,
)

const markMade = statement('media.mark_made', 'update pictures set made_at = $2, unused_since = null where id = $1')

const touchPicture = statement(
  'media.touch_picture',
  'update pictures set created_at = $2, unused_since = null where id = $1 and made_at is not null',
)

export async function findPicture(reader: Reader, id: string): Promise<Picture | undefined> {
  return reader.row(findMade, [id])
}

/** Saves a picture before its files, so that the files of a killed process are found. */
export function savePlanned(tx: Transaction, { id, address, file, width, height }: Picture, now: Date): void {
  tx.write(savePicture, [id, address, file, width, height, now])
}

/** Records that the files of a picture are complete. */
export function saveMade(tx: Transaction, { id }: Picture, now: Date): void {
  tx.write(markMade, [id, now], { rows: 1 })
}

/** Records that a picture was uploaded again. @returns whether it is still there */
export async function renewPicture(tx: Transaction, { id }: Picture, now: Date): Promise<boolean> {
  return (await tx.change(touchPicture, [id, now])) === 1
}
