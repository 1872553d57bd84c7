/**
 * Copies the example shop out of the repository, with the sources of the SDK: `npm run shop:copy -- FOLDER`. In the copy,
 * `npm install`, `npm run build` and `npm start` are all it needs.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const [folder] = process.argv.slice(2)
if (!folder) fail('Name the target folder: npm run shop:copy -- FOLDER')
const target = resolve(process.env.INIT_CWD ?? '.', folder)
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`)

for (const [from, to] of [
  ['shop', ''],
  ['sdk', 'sdk'],
]) {
  const filter = (path) => !/\/(node_modules|dist)$|\.test\.ts$/.test(path)
  cpSync(join(repository, from), join(target, to), { recursive: true, filter })
}
change('package.json', (manifest) => ({
  ...manifest,
  name: 'shop',
  // Its database is node:sqlite.
  engines: { node: '>=22.13' },
  dependencies: { ...manifest.dependencies, '@vitrine/sdk': 'file:sdk' },
}))
change('sdk/package.json', ({ devDependencies: _, ...manifest }) => manifest)
const { compilerOptions } = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'))
const own = readFileSync(join(target, 'tsconfig.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
const { extends: __, ...config } = JSON.parse(own)
write('tsconfig.json', { ...config, compilerOptions: { ...compilerOptions, ...config.compilerOptions } })
console.log(`The shop is in ${target}. Its README.md says how to run it.`)

function change(file, edit) {
  write(file, edit(JSON.parse(readFileSync(join(target, file), 'utf8'))))
}

function write(file, content) {
  writeFileSync(join(target, file), `${JSON.stringify(content, null, 2)}\n`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
