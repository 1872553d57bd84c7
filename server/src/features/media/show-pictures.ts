import { refuse } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { fileAt } from './address.ts'

/**
 * Its locks hold up the removal of a picture, which then finds it used. Only pictures that nothing has shown are locked: others are
 * not removed within a week, and an import names every picture of its products.
 */
const keepPictures = statement<{ address: string }>(
  'media.keep_pictures',
  `with kept as (
     update pictures set unused_since = null where address = any($1) and made_at is not null and unused_since is not null
     returning address)
   select address from kept
   union all
   select address from pictures where address = any($1) and made_at is not null and unused_since is null`,
)

const MESSAGE = 'The picture was removed, because nothing has shown it for a week. Upload it again.'

interface PictureFault {
  readonly field: string
  readonly code: 'picture_removed'
  readonly message: string
}

/**
 * Keeps the uploaded pictures that a change shows, in its transaction.
 *
 * @param url the URL that pictures are served below, without a trailing slash
 * @returns the fields with pictures that were removed
 */
export async function keepShownPictures(tx: Transaction, change: unknown, url: string): Promise<PictureFault[]> {
  const shown = picturesIn(change, `${url}/media/`)
  if (shown.length === 0) return []
  const rows = await tx.rows(keepPictures, [[...new Set(shown.map(({ address }) => address))]])
  const kept = new Set(rows.map(({ address }) => address))
  return shown
    .filter(({ address }) => !kept.has(address))
    .map(({ field }) => ({ field, code: 'picture_removed', message: MESSAGE }))
}

/** The same. Refusals: `validation_failed` if one was removed. */
export async function showPictures(tx: Transaction, change: unknown, url: string): Promise<void> {
  const faults = await keepShownPictures(tx, change, url)
  if (faults.length > 0) refuse('validation_failed', { faults })
}

interface ShownPicture {
  readonly address: string
  readonly field: string
}

/** The uploaded pictures whose URLs are in a value, each with the path of its field. */
function picturesIn(value: unknown, below: string, field = ''): readonly ShownPicture[] {
  if (typeof value === 'string') {
    const file = value.startsWith(below) ? fileAt(value.slice(below.length)) : null
    return file === null ? [] : [{ address: file.address, field }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    picturesIn(each, below, field === '' ? name : `${field}/${name}`),
  )
}
