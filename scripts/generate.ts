import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sdkFiles } from './generate-sdk.ts'
import { referencePages } from './reference-pages.ts'
import { pagesWithSnippets } from './snippets.ts'

/**
 * Generates the pages of docs/reference and the types of the SDK from the contract, and copies code into the guides. With `--check`
 * it writes nothing, and fails if a file is out of date.
 */

const repository = join(import.meta.dirname, '..')
const REFERENCE = join('docs', 'reference')
const SDK = join('sdk', 'src', 'generated')

const below = (folder: string, files: ReadonlyMap<string, string>) =>
  [...files].map(([path, content]) => [join(folder, path), content] as const)
const wanted = new Map([
  ...below(REFERENCE, referencePages()),
  ...below(SDK, sdkFiles()),
  ...pagesWithSnippets(repository),
])
const leftOver = readdirSync(join(repository, SDK))
  .map((name) => join(SDK, name))
  .filter((path) => !wanted.has(path))
const stale = [...wanted].filter(([path, content]) => {
  const file = join(repository, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== content
})

if (process.argv.includes('--check')) {
  for (const path of [...stale.map(([each]) => each), ...leftOver]) console.error(`${path} is stale`)
  if (stale.length + leftOver.length > 0) {
    console.error('Run: node scripts/generate.ts')
    process.exitCode = 1
  }
} else {
  for (const path of leftOver) rmSync(join(repository, path))
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), content)
  }
}
