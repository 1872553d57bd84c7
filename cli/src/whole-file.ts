import { lstat, open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file under another name, and renames it once it is complete and on disk: if the work is interrupted, an earlier file
 * stays as it was. A device, a pipe or a link is written directly.
 */
export async function writeWhole(file: string, write: (path: string) => Promise<void>): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found && !found.isFile()) return write(file)
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
