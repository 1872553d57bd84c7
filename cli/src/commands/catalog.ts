import { catalogueFile, importCatalogue } from '@vitrine/server'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

const REFUSALS_SHOWN = 20

/** `vitrine catalog import FILE`: takes every good line, reports every bad one, and can be run again. */
export async function importCatalogueCommand(file: string, options: { store: string }, output: Output): Promise<void> {
  const progress = output.progress('Importing')
  try {
    const report = await inHouse(output, ({ database, ids, now }) =>
      importCatalogue({
        database,
        ids,
        storeSlug: options.store,
        source: catalogueFile(file),
        now: now(),
        onProgress: ({ read }) => progress.update(read, null),
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
  } finally {
    progress.stop()
  }
}
