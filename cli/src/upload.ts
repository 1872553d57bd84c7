import type { Output } from './output.ts'
import type { Progress } from './progress.ts'
import { sizeOf } from './whole-file.ts'

const REFUSALS_SHOWN = 20

interface Report {
  readonly read: number
  readonly refusals: readonly { readonly line: number; readonly reason: string }[]
}

/** Prints the report of an import: the counts in the given order, and the first refused lines. */
export function reportOf<Figure extends string>(
  { refusals, ...report }: Report & Readonly<Record<Figure, number>>,
  figures: readonly Figure[],
  output: Output,
): void {
  const counts: Readonly<Record<string, number>> = Object.fromEntries(
    figures.map((name) => [name, report[name as never]]),
  )
  const figureTexts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  output.result({ read: report.read, ...counts, refused: refusals }, [
    `Read ${report.read}: ${figureTexts.join(', ')}, ${refusals.length} refused.`,
    ...refusals.slice(0, REFUSALS_SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(refusals.length > REFUSALS_SHOWN
      ? [`  … and ${refusals.length - REFUSALS_SHOWN} more; --json lists them all.`]
      : []),
  ])
}

/** Shows progress while a file is imported. */
export async function withProgress<Result>(
  file: string,
  output: Output,
  work: (progress: Progress, bytes: number) => Promise<Result>,
): Promise<Result> {
  const size = await sizeOf(file)
  const progress = output.progress('Importing')
  try {
    return await work(progress, size)
  } finally {
    progress.stop()
  }
}
