import { readFile } from 'node:fs/promises'
import { importLicenses, type LicenseReport, listPools, openLicenseVault } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

const REFUSALS_SHOWN = 20
/** Lines of one transaction: each holds the lock of the pool for a moment only. */
const BATCH = 5000

export interface LicenceImportOptions {
  readonly sku: string
  readonly environment: string
}

/** `vitrine licence import FILE`: one key from each line. The same file again changes nothing. */
export async function importLicencesCommand(
  file: string,
  options: LicenceImportOptions,
  output: Output,
): Promise<void> {
  const { sku: skuId, environment } = options
  if (environment !== 'test' && environment !== 'live') throw new UsageError('--environment is test or live.')
  const lines = (await readFile(file, 'utf8')).split('\n')
  const reports: LicenseReport[] = []
  await inHouse(output, async ({ database, ids, randomness, now }) => {
    const vault = await database.transaction((tx) => openLicenseVault(tx, randomness))
    for (let from = 0; from < lines.length; from += BATCH) {
      const parts = { ids, now: now(), vault, from }
      const batch = lines.slice(from, from + BATCH)
      reports.push(await database.transaction((tx) => importLicenses(tx, { skuId, environment }, batch, parts)))
    }
  })
  const total = (count: (report: LicenseReport) => number) => reports.reduce((sum, each) => sum + count(each), 0)
  const refused = reports.flatMap((each) => each.refused)
  const report = {
    read: total(({ read }) => read),
    created: total(({ created }) => created),
    unchanged: total(({ unchanged }) => unchanged),
    refused,
  }
  output.result(report, [
    `Read ${report.read}: ${report.created} created, ${report.unchanged} unchanged, ${refused.length} refused.`,
    ...refused.slice(0, REFUSALS_SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(refused.length > REFUSALS_SHOWN
      ? [`  … and ${refused.length - REFUSALS_SHOWN} more; --json tells them all.`]
      : []),
  ])
}

/** `vitrine licence list`: how many keys are left, and how many units wait for one. */
export async function listLicencesCommand(output: Output): Promise<void> {
  const pools = await inHouse(output, ({ database }) => listPools(database.reader))
  const rows = pools.map(({ skuId, environment, free, given, owed }) => [
    skuId,
    environment,
    String(free),
    String(given),
    String(owed),
  ])
  const lines = columns([['SKU', 'ENVIRONMENT', 'FREE', 'GIVEN', 'OWED'], ...rows])
  output.result(pools, rows.length > 0 ? lines : ['There is no pool yet: vitrine licence import FILE --sku ID'])
}
