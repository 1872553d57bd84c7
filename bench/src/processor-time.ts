import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds of a tick: USER_HZ is 100 on Linux. */
const TICK_MS = 10

/**
 * Processor time in milliseconds that a server, its helpers and its embedded PostgreSQL have used. Unlike a rate, it hardly depends on
 * other work of the machine. The time of a closed connection is lost: measure while none closes.
 */
export async function processorMeter(serverId: number, dataDirectory: string): Promise<() => Promise<number>> {
  const postmasterId = Number(
    (await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
  )
  return async () => {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const processes = await Promise.all(ids.map(timesOf))
    return processes
      .filter((each) => each !== null)
      .filter(({ id, parentId }) => [serverId, postmasterId].some((each) => each === id || each === parentId))
      .reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0)
  }
}

/** Processor time in milliseconds that a process has used, without PostgreSQL. */
export function processMeter(id: number): () => Promise<number> {
  return async () => ((await timesOf(id))?.ticks ?? 0) * TICK_MS
}

/** @see proc_pid_stat(5), of which the fields after the name are separated by spaces */
async function timesOf(id: number): Promise<{ id: number; parentId: number; ticks: number } | null> {
  // A process may end while it is read.
  const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { id, parentId: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}
