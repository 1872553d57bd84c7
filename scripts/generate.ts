import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referencePages } from './reference-pages.ts'

/**
 * Generates the pages of docs/reference from the contract. With `--check` it writes nothing, and fails if a page is out of
 * date.
 */

const folder = join(import.meta.dirname, '..', 'docs', 'reference')
const wanted = referencePages()
const operationsFolder = join(folder, 'operations')
const leftOver = (existsSync(operationsFolder) ? readdirSync(operationsFolder) : [])
  .map((name) => join('operations', name))
  .filter((path) => !wanted.has(path))
const stale = [...wanted].filter(([path, content]) => {
  const file = join(folder, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== content
})

if (process.argv.includes('--check')) {
  for (const path of [...stale.map(([each]) => each), ...leftOver]) console.error(`docs/reference/${path} is stale`)
  if (stale.length + leftOver.length > 0) {
    console.error('Run: node scripts/generate.ts')
    process.exitCode = 1
  }
} else {
  for (const path of leftOver) rmSync(join(folder, path))
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
