import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MediaStore } from './media-store.ts'

/** Files below a directory of this machine, or of a file system that all nodes share. */
export function diskStore(directory: string): MediaStore {
  const folderOf = (address: string) => join(directory, address.slice(0, 2), address)
  return {
    async save(address, { folder, names }) {
      const kept = folderOf(address)
      for (const name of names) await toDisk(join(folder, name))
      await mkdir(dirname(kept), { recursive: true })
      // A folder is renamed as a whole: after a kill all files are there, or none.
      await rename(folder, kept).catch(async (error: NodeJS.ErrnoException) => {
        // Another upload has saved the same picture.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
      await toDisk(dirname(kept))
    },
    async open(address, name) {
      try {
        const file = await open(join(folderOf(address), name))
        return { body: file.createReadStream(), bytes: (await file.stat()).size }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async remove(address) {
      await rm(folderOf(address), { recursive: true, force: true })
    },
  }
}

async function toDisk(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
