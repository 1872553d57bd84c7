import { readFile } from 'node:fs/promises'
import { type LegalType, listLegalVersions, publishLegalDocument } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { storeIdOf } from './store-of.ts'

export interface PublishLegalOptions {
  readonly type: string
  readonly version: string
  readonly locale: string
  readonly title: string
  readonly effective?: string
  readonly store?: string
  readonly plain?: boolean
}

/** `vitrine legal publish FILE`: publishes a version in one language. The same text again changes nothing. */
export async function publishLegalCommand(file: string, options: PublishLegalOptions, output: Output): Promise<void> {
  const { type, version, locale, title, plain = false } = options
  const effectiveAt = options.effective === undefined ? undefined : momentOf(options.effective)
  const text = await readFile(file, 'utf8')
  const result = await inHouse(output, ({ database, ids, now }) =>
    database.transaction(async (tx) => {
      const storeId = await storeIdOf(tx, options.store)
      const content = { format: plain ? 'plain' : 'markdown', text } as const
      // The type is checked with everything else.
      const wanted = { type: type as LegalType, version, locale, title, content }
      return publishLegalDocument(tx, wanted, { storeId, effectiveAt, ids, now: now() })
    }),
  )
  output.result({ type, version, locale, result }, [
    result === 'published'
      ? `Published version ${version} of ${type} in ${locale}.`
      : `Version ${version} of ${type} was published with this text already.`,
  ])
}

/** `vitrine legal list`: every version that was published, newest first. */
export async function listLegalCommand(options: { readonly store?: string }, output: Output): Promise<void> {
  const versions = await inHouse(output, async ({ database: { reader } }) =>
    listLegalVersions(reader, await storeIdOf(reader, options.store)),
  )
  const shown = versions.map(({ id, type, version, locales, effective_at, published_at }) => ({
    id,
    type,
    version,
    locales,
    effectiveAt: effective_at.toISOString(),
    publishedAt: published_at.toISOString(),
  }))
  const lines = columns([
    ['TYPE', 'VERSION', 'IN FORCE FROM', 'LANGUAGES', 'ID'],
    ...shown.map((each) => [each.type, each.version, each.effectiveAt, each.locales.join(','), each.id]),
  ])
  output.result(shown, shown.length > 0 ? lines : ['Nothing is published yet: vitrine legal publish FILE …'])
}

function momentOf(text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw new UsageError(`--effective is a moment such as 2027-01-01T00:00:00Z, not "${text}".`)
  return moment
}
