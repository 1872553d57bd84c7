import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../src/kernel/assert.ts'

export { type DemoReturns, demoInstallations, demoOrigins, demoReturns } from './installations.ts'

/** The data files are next to this module, in the sources and in `dist`. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url))

export interface DemoPicture {
  /** Its path in the data files. */
  readonly file: `/pictures/${string}.svg`
  /** Its path at the pages door, with the hash of its content, so that a changed picture has another URL. */
  readonly path: `/media/${string}.svg`
  readonly svg: Buffer
}

export function readPictures(): DemoPicture[] {
  const files = readdirSync(join(FOLDER, 'pictures'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.svg'))
    .map((file) => {
      const svg = readFileSync(join(FOLDER, 'pictures', file))
      const hash = createHash('sha256').update(svg).digest('hex').slice(0, 32)
      return { file: `/pictures/${file}` as `/pictures/${string}.svg`, path: `/media/${hash}.svg`, svg }
    })
}

export function readDemoFile(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8')
}

/** The lines of a `.jsonl` file, as text. */
export function readDemoLines(file: string): string[] {
  return readDemoFile(file).trimEnd().split('\n')
}

/** Replaces picture paths in JSON with their URLs. */
export function pictureLinker(pagesUrl: string): (json: string) => string {
  const paths = new Map<string, string>(readPictures().map(({ file, path }) => [file, path]))
  return (json) =>
    json.replaceAll(/"(\/pictures\/[^"]+)"/g, (_, file: string) => `"${pagesUrl}${present(paths.get(file), file)}"`)
}
