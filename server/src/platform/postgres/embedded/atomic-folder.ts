import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Creates a folder under a temporary name and renames it, so that it is complete or absent. If another process is first,
 * its folder stays. Leftovers of a killed process are removed by the next call.
 */
export async function createFolderAtomically(path: string, make: (partial: string) => Promise<void>): Promise<void> {
  await removeLeftovers(path)
  const partial = await mkdtemp(`${path}.partial-${process.pid}-`)
  try {
    await make(partial)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

async function removeLeftovers(path: string): Promise<void> {
  const beginning = `${basename(path)}.partial-`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(beginning)) continue
    const pid = Number.parseInt(name.slice(beginning.length), 10)
    if (!isAlive(pid)) await rm(join(dirname(path), name), { recursive: true, force: true })
  }
}

/** Whether a process with this id exists. It may be another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
