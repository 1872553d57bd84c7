/** A measured figure and its target. */
export interface Figure {
  readonly name: string
  readonly measured: string
  /** The reference that was measured in the same run. */
  readonly reference: string
  readonly ratio: number | null
  readonly target: string
  readonly met: boolean
}

export function ratioFigure(
  name: string,
  unit: string,
  ours: number,
  limit: { readonly name: string; readonly value: number },
  target: number,
): Figure {
  const ratio = ours / limit.value
  return {
    name,
    measured: `${Math.round(ours).toLocaleString('en')} ${unit}`,
    reference: `${Math.round(limit.value).toLocaleString('en')} ${unit} ${limit.name}`,
    ratio,
    target: `≥ ${target}`,
    met: ratio >= target,
  }
}

export function ceilingFigure(name: string, unit: string, value: number, ceiling: number): Figure {
  return {
    name,
    measured: `${value.toFixed(value < 100 ? 2 : 0)} ${unit}`,
    reference: '',
    ratio: null,
    target: `< ${ceiling} ${unit}`,
    met: value < ceiling,
  }
}

export function floorFigure(name: string, unit: string, value: number, floor: number): Figure {
  return {
    name,
    measured: `${Math.round(value).toLocaleString('en')} ${unit}`,
    reference: '',
    ratio: null,
    target: `≥ ${floor} ${unit}`,
    met: value >= floor,
  }
}

/** The figures as a table, the ratio drawn as a bar against its target. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.met ? 'met   ' : 'MISSED',
    figure.name,
    figure.measured,
    figure.reference,
    figure.ratio === null ? '' : `${figure.ratio.toFixed(2)} ${bar(figure.ratio)}`,
    figure.target,
  ])
  const head = ['', 'FIGURE', 'MEASURED', 'REFERENCE', 'RATIO', 'TARGET']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}

const BAR_CHARACTERS = 20

function bar(ratio: number): string {
  const filled = Math.max(0, Math.min(BAR_CHARACTERS, Math.round(ratio * BAR_CHARACTERS)))
  return '█'.repeat(filled) + '·'.repeat(BAR_CHARACTERS - filled)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Measures several things in turn, round by round, so that other work of the machine affects all of them alike. @returns the medians */
export async function interleaved(rounds: number, runs: readonly (() => Promise<number>)[]): Promise<number[]> {
  const measured: number[][] = runs.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of runs.entries()) measured[index]?.push(await run())
  }
  return measured.map(median)
}
