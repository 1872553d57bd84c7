import type { Readable } from 'node:stream'

/** Files in a local folder, by name. */
interface MadeFiles {
  readonly folder: string
  readonly names: readonly string[]
}

interface StoredFile {
  readonly body: Readable
  readonly bytes: number
}

/** The storage of the files of pictures. The file at an address never changes, so that saving it again is harmless. */
export interface MediaStore {
  /** Saves the files of a picture, each as a whole or not at all. */
  save(address: string, files: MadeFiles): Promise<void>
  /** Opens a file; `null` if it does not exist. */
  open(address: string, name: string): Promise<StoredFile | null>
  /** Removes all files of a picture. */
  remove(address: string, names: readonly string[]): Promise<void>
}
