/**
 * Bundles the SDK for browsers and prints its compressed size. Fails if it is over the limit, or if it imports anything.
 *
 *   node scripts/sdk-size.js          the SDK
 *   node scripts/sdk-size.js ENTRY    another entry, for the test of this check
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

const LIMIT_BYTES = 15 * 1024

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const entry = resolve(process.argv[2] ?? join(repository, 'sdk/src/index.ts'))

// The bundler of the console.
const vite = dirname(createRequire(join(repository, 'console/package.json')).resolve('vite/package.json'))
const { exports } = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8'))
const { build } = await import(pathToFileURL(join(vite, exports['.'].default ?? exports['.'])).href)
const [{ output }] = await build({
  configFile: false,
  logLevel: 'silent',
  root: dirname(entry),
  build: { write: false, minify: true, target: 'es2023', lib: { entry, formats: ['es'] } },
})
const [chunk] = output
const bytes = gzipSync(chunk.code, { level: 9 }).length
const kilobytes = (size) => `${(size / 1024).toFixed(1)} KB`
const imports = [...chunk.imports, ...chunk.dynamicImports]

console.log(`The SDK is ${kilobytes(bytes)} compressed in a browser, of ${kilobytes(LIMIT_BYTES)} at most.`)
if (bytes > LIMIT_BYTES) console.error(`It is ${kilobytes(bytes - LIMIT_BYTES)} too large.`)
if (imports.length > 0) console.error(`It imports ${imports.join(', ')}.`)
process.exitCode = bytes > LIMIT_BYTES || imports.length > 0 ? 1 : 0
