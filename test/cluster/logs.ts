import { copyFile, glob, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Machine, PATRONI_PORT } from '../../deploy/cluster/machine.ts'
import type { Node } from '../faults/service.ts'

/** The number of lines printed of each log, and their length. */
const LAST_LINES = 5
const LINE_MAX = 200
const STATES = ['patroni', 'cluster', 'history'] as const

/** Saves the logs of a failed run and the current state of the cluster. @returns the folder, and the last lines of each log */
export async function keepLogs(cluster: string, machines: readonly Machine[], nodes: readonly Node[]): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'vitrine-cluster-failed-'))
  const states = await Promise.all(machines.map(async (machine) => [machine.name, await statesOf(machine)]))
  await writeFile(join(kept, 'states.json'), JSON.stringify(Object.fromEntries(states), null, 2))
  for (const [at, node] of nodes.entries()) await writeFile(join(kept, `node${at + 1}.log`), node.output())
  // PostgreSQL writes to the log of its Patroni.
  for await (const log of glob('{*,*/*}.log', { cwd: cluster })) {
    await copyFile(join(cluster, log), join(kept, log.replace('/', '-')))
  }
  const ends: string[] = []
  for await (const log of glob('*.log', { cwd: kept })) {
    const lines = (await readFile(join(kept, log), 'utf8')).trimEnd().split('\n')
    ends.push(`${log}:`, ...lines.slice(-LAST_LINES).map((line) => line.slice(0, LINE_MAX)))
  }
  return [`The logs of all parts are in ${kept}`, ...ends].join('\n')
}

/** The state of PostgreSQL and of the cluster, as Patroni reports it. */
async function statesOf({ address }: Machine): Promise<unknown> {
  const each = STATES.map(async (name) => {
    const url = `http://${address}:${PATRONI_PORT}/${name}`
    const state = await fetch(url, { signal: AbortSignal.timeout(5000) })
      .then((response) => response.json())
      .catch(String)
    return [name, state]
  })
  return Object.fromEntries(await Promise.all(each))
}
