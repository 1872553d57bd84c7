import { stat } from 'node:fs/promises'
import { catalogueFile, importCatalogue } from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

const REFUSALS_SHOWN = 20
const FORMS = /\.(jsonl|csv)(\.gz)?$/

/** `vitrine catalog import FILE`: takes every good line, reports every bad one, and can be run again. */
export async function importCatalogueCommand(file: string, options: { store: string }, output: Output): Promise<void> {
  if (!FORMS.test(file)) throw new UsageError(`${file} should end in .jsonl or .csv, or in one of them with .gz.`)
  const { size } = await stat(file)
  const source = catalogueFile(file)
  const progress = output.progress('Importing')
  try {
    const report = await inHouse(output, ({ database, ids, now }) =>
      importCatalogue({
        database,
        ids,
        storeSlug: options.store,
        source,
        now: now(),
        onProgress: ({ read }) => progress.update(source.bytesRead(), size, `${read.toLocaleString('en')} lines read`),
      }),
    )
    progress.stop()
    const { read, created, updated, unchanged, refused } = report
    output.result(report, [
      `Read ${read}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused.`,
      ...refused.slice(0, REFUSALS_SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`),
      ...(refused.length > REFUSALS_SHOWN
        ? [`  … and ${refused.length - REFUSALS_SHOWN} more; --json tells them all.`]
        : []),
    ])
  } catch (error) {
    throw isDamage(error) ? damaged(file, error) : error
  } finally {
    progress.stop()
  }
}

/** What unpacking says of a file that was cut off, or that is no gzip. @see https://nodejs.org/api/zlib.html#constants */
function isDamage(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && /^Z_(BUF|DATA)_ERROR$/.test((error as NodeJS.ErrnoException).code ?? '')
}

function damaged(file: string, cause: Error): CommandError {
  return new CommandError(
    `${file} is damaged (${cause.message}). Some of it may have been taken: import it again when it is whole.`,
    { cause },
  )
}
