import { stat } from 'node:fs/promises'
import { CommandError } from './failure.ts'
import type { Output } from './output.ts'

const REFUSALS_SHOWN = 20

/** A file of lines as it is read. */
interface Source {
  bytesRead(): number
}

interface Report {
  readonly read: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/**
 * Imports a file with a progress bar, and tells what became of its lines: each bad one by its number and its reason.
 *
 * @throws CommandError where the file is damaged
 */
export async function importFile<Done extends Report>(
  file: string,
  source: Source,
  output: Output,
  run: (onProgress: (report: Report) => void) => Promise<Done>,
  counts: (report: Done) => string,
): Promise<void> {
  const { size } = await stat(file)
  const progress = output.progress('Importing')
  try {
    const report = await run(({ read }) =>
      progress.update(source.bytesRead(), size, `${read.toLocaleString('en')} lines read`),
    )
    progress.stop()
    const { read, refused } = report
    output.result(report, [
      `Read ${read}: ${counts(report)}, ${refused.length} refused.`,
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
