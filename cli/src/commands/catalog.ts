import { catalogueFile, importCatalogue } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { importFile } from '../import-file.ts'
import type { Output } from '../output.ts'

const FORMS = /\.(jsonl|csv)(\.gz)?$/

/** `vitrine catalog import FILE`: takes every good line, reports every bad one, and can be run again. */
export async function importCatalogueCommand(file: string, options: { store: string }, output: Output): Promise<void> {
  if (!FORMS.test(file)) throw new UsageError(`${file} should end in .jsonl or .csv, or in one of them with .gz.`)
  const source = catalogueFile(file)
  await importFile(
    file,
    source,
    output,
    (onProgress) =>
      inHouse(output, ({ database, ids, now }) =>
        importCatalogue({ database, ids, storeSlug: options.store, source, now: now(), onProgress }),
      ),
    ({ created, updated, unchanged }) => `${created} created, ${updated} updated, ${unchanged} unchanged`,
  )
}
