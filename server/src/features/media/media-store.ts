import type { Readable } from 'node:stream'

/** Files that are made, by their names, in a folder of this machine. */
export interface MadeFiles {
  readonly folder: string
  readonly names: readonly string[]
}

export interface StoredFile {
  readonly body: Readable
  readonly bytes: number
}

/** Where the files of pictures are kept. A file never changes under its address, so saving one again is harmless. */
export interface MediaStore {
  /** Keeps the files of a picture. Each is there as a whole or not at all. */
  save(address: string, files: MadeFiles): Promise<void>
  /** A file, or `null`. */
  open(address: string, name: string): Promise<StoredFile | null>
  /** Removes all files of a picture. */
  remove(address: string, names: readonly string[]): Promise<void>
}
