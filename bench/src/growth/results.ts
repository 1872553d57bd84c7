import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { Client } from 'pg'
import { type Chart, type Curve, curves } from './curves.ts'

const RESULTS = new URL('../../results/', import.meta.url)

/** Writes what was measured, and its curves, to `bench/results`. */
export async function writeGrowth(
  name: string,
  measured: readonly object[],
  charts: Readonly<Record<string, readonly [Chart, readonly Curve[]]>>,
): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  const machine = { cores: cpus().length, node: process.versions.node }
  await writeFile(new URL(`${name}.json`, RESULTS), `${JSON.stringify({ machine, measured }, rounded, 2)}\n`)
  for (const [file, [chart, drawn]] of Object.entries(charts)) {
    await writeFile(new URL(`${file}.svg`, RESULTS), curves(chart, drawn))
  }
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

/** Works on a new database next to another one, which is dropped afterwards. */
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
