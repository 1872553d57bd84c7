import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { Client } from 'pg'
import { type Chart, type Curve, curves } from './curves.ts'

const RESULTS = new URL('../../results/', import.meta.url)

/**
 * Writes the measurements and their curves to `bench/results`. Earlier measurements of other sizes are kept if that machine had as many
 * cores: the largest size takes longer than all others.
 */
export async function writeGrowth<Measured extends object>(
  name: string,
  measured: readonly Measured[],
  sizeOf: (each: Measured) => number,
  chartsOf: (all: readonly Measured[]) => Readonly<Record<string, readonly [Chart, readonly Curve[]]>>,
): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  const file = new URL(`${name}.json`, RESULTS)
  const cores = cpus().length
  const before: Growth<Measured> | null = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'))
  const sizes = new Set(measured.map(sizeOf))
  const kept = before?.cores === cores ? before.measured.filter((each) => !sizes.has(sizeOf(each))) : []
  const all = [...kept, ...measured].sort((one, other) => sizeOf(one) - sizeOf(other))
  await writeFile(file, `${JSON.stringify({ cores, measured: all }, rounded, 2)}\n`)
  for (const [chart, [axes, drawn]] of Object.entries(chartsOf(all))) {
    await writeFile(new URL(`${chart}.svg`, RESULTS), curves(axes, drawn))
  }
}

interface Growth<Measured> {
  readonly cores: number
  readonly measured: readonly Measured[]
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

/** Works in a new database on the same server. It is dropped afterwards. */
export async function inDatabase<Result>(
  serverUrl: string,
  name: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const admin = new Client({ connectionString: serverUrl })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name}`)
    return await work(Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href)
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}
