import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { catalogFile, exportCatalog, importCatalog } from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { importFile } from '../import-file.ts'
import type { Output } from '../output.ts'

const FORMS = /\.(jsonl|csv)(\.gz)?$/

/** `vitrine catalog import FILE`: takes every good line, reports every bad one, and can be run again. */
export async function importCatalogCommand(file: string, options: { store: string }, output: Output): Promise<void> {
  if (!FORMS.test(file)) throw new UsageError(`${file} should end in .jsonl or .csv, or in one of them with .gz.`)
  const source = catalogFile(file)
  await importFile(
    file,
    source,
    output,
    (onProgress) =>
      inHouse(output, ({ database, ids, now }) =>
        importCatalog({ database, ids, storeSlug: options.store, source, now: now(), onProgress }),
      ),
    ({ created, updated, unchanged }) => `${created} created, ${updated} updated, ${unchanged} unchanged`,
  )
}

const EXPORT_FORMS = /\.jsonl(\.gz)?$/

/** `vitrine catalog export FILE`: the store, its categories and its products, as lines that can be imported again. */
export async function exportCatalogCommand(file: string, { store }: { store: string }, output: Output): Promise<void> {
  if (!EXPORT_FORMS.test(file)) throw new UsageError(`${file} should end in .jsonl or .jsonl.gz.`)
  const written = await inHouse(output, async ({ database }) => {
    const lines = await exportCatalog(database.reader, store)
    if (lines === null) throw new CommandError(`There is no store "${store}".`)
    let count = 0
    async function* counted(): AsyncGenerator<string> {
      for await (const line of lines as AsyncIterable<string>) {
        count += 1
        yield line
      }
    }
    const target = createWriteStream(file)
    await (file.endsWith('.gz') ? pipeline(counted, createGzip(), target) : pipeline(counted, target))
    return count
  })
  output.result({ file, lines: written }, [`Wrote ${written} lines to ${file}.`])
}
