/**
 * Joins the modules of the command line and the server, and the packages that are many small files, in `server/dist`: a start
 * then loads 400 files instead of 2,100, which takes 0.25 s of processor time instead of 0.7.
 *
 * `npm test` does it for a whole run and `npm run build` for a release; `cli/bin/vitrine.js` uses the bundle if it is current.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
/**
 * Packages of pure JavaScript that load no files. Others may look for files next to their modules. `@oxc-project/runtime` is a part of
 * rolldown, which rewrites a tagged template that contains `</script>`.
 */
const JOINED =
  /^(@vitrine\/|(@oxc-project\/runtime|typebox|kysely|@opentelemetry\/api|stdnum|jose|prom-client|commander)(\/|$))/
/** Not bundled: a test arms the instance that the server has. */
const ALONE = /\/platform\/crash\/crash-points\.[jt]s$/

const OUTDATED_MS = 24 * 3_600_000

/**
 * File names contain a hash. Earlier files stay for a day, since a running server may still import them.
 *
 * @param root the repository, or a release with the same layout, whose sources are compiled and do not change
 */
export async function bundle(root, { isRelease = false } = {}) {
  const folder = join(root, 'server/dist')
  const build = await rolldown({
    cwd: root,
    input: join(root, isRelease ? 'cli/src/main.js' : 'cli/src/main.ts'),
    platform: 'node',
    // As Node itself does with the sources: types are removed, and nothing else is changed.
    tsconfig: false,
    transform: { target: 'esnext' },
    external: (id) => !/^[./\0]/.test(id) && !JOINED.test(id),
    plugins: [aloneModules(folder), ownAddresses(root)],
  })
  const { output } = await build.generate({ format: 'esm', entryFileNames: '[name]-[hash].js' })
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (Date.now() - statSync(join(folder, name)).mtimeMs > OUTDATED_MS) rmSync(join(folder, name))
  }
  for (const { fileName, code } of output) write(join(folder, fileName), code)
  const sources = output.flatMap(({ moduleIds = [] }) => moduleIds.filter(isSource)).map((path) => relative(root, path))
  const inputs = isRelease ? [] : [...sources, 'node_modules/.package-lock.json', 'scripts/bundle.js']
  const main = output.find(({ isEntry }) => isEntry).fileName
  write(join(folder, 'program.json'), JSON.stringify({ main, inputs: inputs.map((path) => stampOf(root, path)) }))

  function isSource(path) {
    return path.startsWith(root) && !path.includes('/node_modules/')
  }
}

function stampOf(root, path) {
  const { mtimeMs, size } = statSync(join(root, path))
  return [path, mtimeMs, size]
}

/** Replaces a file atomically: another process may be reading it. */
function write(path, text) {
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, text)
  renameSync(partial, path)
}

function aloneModules(folder) {
  return {
    name: 'alone',
    async resolveId(id, importer) {
      if (!ALONE.test(id.replace(/^\.\//, '/platform/crash/'))) return null
      const found = await this.resolve(id, importer, { skipSelf: true })
      return { id: relative(folder, found.id), external: true }
    },
  }
}

/** A module finds files by its URL, which remains that of its source. */
function ownAddresses(root) {
  return {
    name: 'own-addresses',
    transform: {
      filter: { id: { include: /\.[jt]s$/, exclude: /\0|node_modules/ }, code: /import\.meta\b/ },
      handler(code, id) {
        const [other] = code.match(/import\.meta\b(?!\.url\b)\S*/) ?? []
        if (other) throw new Error(`${relative(root, id)}: use import.meta.url, not ${other}`)
        const source = JSON.stringify(`../../${relative(root, id)}`)
        return code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`)
      },
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(repository)
