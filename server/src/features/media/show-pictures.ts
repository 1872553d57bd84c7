import { refuse } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { fileAt } from './address.ts'

/** Its locks hold up the removal of a picture, which then finds it used. */
const keepPictures = statement<{ address: string }>(
  'media.keep_pictures',
  'update pictures set unused_since = null where address = any($1) and made_at is not null returning address',
)

const MESSAGE = 'The picture was removed, because nothing has shown it for a week. Upload it again.'

/**
 * Keeps the uploaded pictures that a change shows, in its transaction.
 *
 * Refusals: `validation_failed` if one was removed.
 *
 * @param url the URL that pictures are served below, without a trailing slash
 */
export async function showPictures(tx: Transaction, change: unknown, url: string): Promise<void> {
  const shown = picturesIn(change, `${url}/media/`)
  if (shown.length === 0) return
  const kept = await tx.rows(keepPictures, [[...new Set(shown.map(({ address }) => address))]])
  const faults = shown
    .filter((picture) => kept.every(({ address }) => address !== picture.address))
    .map(({ field }) => ({ field, code: 'picture_removed', message: MESSAGE }))
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
