import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { CommandLine } from '../command-line.ts'
import { CommandError, UsageError } from '../failure.ts'
import type { Answer, OperatorClient } from '../operator-client.ts'
import type { Progress } from '../progress.ts'
import { reportOf, withProgress } from '../upload.ts'
import { writeWhole } from '../whole-file.ts'

const IMPORT_FORMS = /\.(jsonl|csv)(\.gz)?$/
const EXPORT_FORMS = /\.jsonl(\.gz)?$/
const POLL_MS = 250
const ONGOING = ['uploading', 'waiting', 'running']
const REFUSALS_MAX = 100_000

export function addCatalogCommands({ command, group, operator, out }: CommandLine): void {
  const catalog = group('catalog', 'products and categories')
  command(catalog, 'import <file>', 'import a .jsonl, .jsonl.gz or .csv file, and report every line that was refused')
    .requiredOption('--store <slug>', 'store for lines that name none; created if missing')
    .action(async (file: string, { store }: { store: string }) => {
      const [form] = IMPORT_FORMS.exec(file) ?? []
      if (form === undefined) throw new UsageError(`${file} must end in .jsonl or .csv, or in one of them with .gz.`)
      const report = await withProgress(file, out, (progress, bytes) =>
        operator(async (client) => {
          const format = form.slice(1) as Answer<'importCatalog'>['format']
          const query = { format, store, missingStore: 'create', name: basename(file), bytes } as const
          const { id } = await client.upload('importCatalog', file, { query })
          return endOfImport(id, { client, progress, out })
        }),
      )
      if (report.status !== 'completed') {
        throw new CommandError(
          `${file}: ${report.failure ?? `The import is ${report.status}.`} Import it again when it is complete.`,
        )
      }
      reportOf(report, ['created', 'updated', 'unchanged'], out)
    })
  command(catalog, 'export <file>', 'export the catalog of a store to a .jsonl or .jsonl.gz file')
    .requiredOption('--store <slug>', 'store')
    .action(async (file: string, { store }: { store: string }) => {
      if (!EXPORT_FORMS.test(file)) throw new UsageError(`${file} must end in .jsonl or .jsonl.gz.`)
      const lines = await operator((client) => exportTo(file, store, client))
      out.result({ file, lines }, [`Wrote ${lines} lines to ${file}.`])
    })
}

interface Waiting {
  readonly client: OperatorClient
  readonly progress: Progress
  readonly out: CommandLine['out']
}

/** Shows the progress until a worker has imported the file. */
async function endOfImport(importId: string, { client, progress, out }: Waiting): Promise<Answer<'getImport'>> {
  let hasNoted = false
  for (;;) {
    await pause(POLL_MS)
    const found = await client.call('getImport', { params: { importId }, query: { refusals: 0 } })
    const { status, unattended, bytesRead, bytesTotal, read } = found
    if (!ONGOING.includes(status)) {
      return client.call('getImport', { params: { importId }, query: { refusals: REFUSALS_MAX } })
    }
    if (unattended && !hasNoted) {
      out.note('The file is uploaded, but no worker is importing it. Start a server with the role worker, or wait.')
    }
    hasNoted ||= unattended
    if (bytesTotal !== null) progress.update(bytesRead, bytesTotal, `${read.toLocaleString('en')} lines read`)
  }
}

async function exportTo(file: string, storeSlug: string, client: OperatorClient): Promise<number> {
  const answer = await client.download('exportCatalog', { params: { storeSlug } })
  let lines = 0
  await writeWhole(file, (unfinished) => {
    const target = createWriteStream(unfinished)
    // Data flows as soon as there is a listener.
    answer.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 0x0a) lines += 1
    })
    return file.endsWith('.gz') ? pipeline(answer, createGzip(), target) : pipeline(answer, target)
  })
  return lines
}
