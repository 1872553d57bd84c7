import { existsSync } from 'node:fs'
import { lstat, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from './failure.ts'

/** The bytes of a file to be read. Node reports a folder late, and without its path. @throws CommandError */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file)
  if (found.isDirectory()) throw new CommandError(`${file} is a folder, not a file.`)
  return found.size
}

/** Node reports the missing folder of a new file as if the file were missing. @throws CommandError */
export function requireFolderOf(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}: create it first.`)
}

/**
 * Writes a file under another name, and renames it once it is complete and on disk: if the work is interrupted, an earlier file
 * stays as it was. A device, a pipe or a link is written directly.
 */
export async function writeWhole(file: string, write: (path: string) => Promise<void>): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found && !found.isFile()) return write(file)
  requireFolderOf(file)
  const unfinished = `${file}.unfinished`
  try {
    await write(unfinished)
    await onDisk(unfinished)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
