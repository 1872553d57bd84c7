import { readdir, readFile } from 'node:fs/promises'

/** @see proc(5): the kernel counts in ticks of 10 ms, `schedstat` in nanoseconds */
const NANOSECONDS = 1e6

/** The processor time of all descendants of this process, in milliseconds. Unlike wall time, it does not depend on other processes. */
export async function processorMs(): Promise<number> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null)
    if (stat === null) continue
    // The name may contain spaces; what follows its last parenthesis is: state, parent.
    parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isOurs = (id: number): boolean => id === process.pid || (id > 1 && isOurs(parents.get(id) ?? 0))
  const ours = [...parents.keys()].filter((id) => id !== process.pid && isOurs(id))
  const each = await Promise.all(ours.map(threadsMs))
  return each.reduce((sum, value) => sum + value, 0)
}

async function threadsMs(id: number): Promise<number> {
  const threads = await readdir(`/proc/${id}/task`).catch(() => [])
  const each = await Promise.all(
    threads.map(async (thread) => {
      const times = await readFile(`/proc/${id}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
      return Number(times.split(' ')[0]) / NANOSECONDS
    }),
  )
  return each.reduce((sum, value) => sum + value, 0)
}
