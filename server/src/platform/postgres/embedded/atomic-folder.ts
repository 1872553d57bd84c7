import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Makes a folder aside and puts it in place at once: it is there whole or not at all. Where another process was first,
 * theirs stays. What a process left that was killed half-way is removed by the next one.
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

/** Whether a process has this number. It may be another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
