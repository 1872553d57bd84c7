import { access, constants, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a browser, and the environment that it needs. */
interface Found {
  readonly executablePath: string
  readonly environment?: Readonly<Record<string, string>>
}

const CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url))

/** Names of Chromium's executable on different systems. */
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/** CHROME_PATH, else the system's browser, else the one from npm. Without any, the test fails with a short message. */
export async function findBrowser(): Promise<Found> {
  const { CHROME_PATH, PATH = '' } = process.env
  if (CHROME_PATH) return { executablePath: CHROME_PATH }
  for (const folder of PATH.split(delimiter)) {
    for (const name of SYSTEM_NAMES) {
      const executablePath = join(folder, name)
      if (await isExecutable(executablePath)) return { executablePath }
    }
  }
  try {
    return await unpackFromNpm()
  } catch (error) {
    throw new Error(
      `No browser: set CHROME_PATH to a Chromium, install one, or see why the one from npm failed (${(error as Error).message}).`,
    )
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * The Chromium from npm. It is unpacked once for each version (2 s of processor time) into a folder that is then moved into
 * place, because test files start at the same time. The environment makes it unpack its libraries too. Its default arguments turn off
 * security features that the tests check, so they are not used.
 */
async function unpackFromNpm(): Promise<Found> {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string }
  const folder = join(CACHE, `chromium-${version}-${process.getuid?.() ?? 0}`)
  const found: Found = {
    executablePath: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
  if (await isExecutable(found.executablePath)) return found
  await mkdir(CACHE, { recursive: true })
  const unpacked = await mkdtemp(`${folder}-`)
  await withEnvironment({ TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' }, async () => {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  })
  // The fonts are not in the folder that its configuration names.
  await writeFile(
    join(unpacked, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir prefix="relative">.</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  )
  await rename(unpacked, folder).catch(async (error: unknown) => {
    // Another test file was first.
    if (!(await stat(folder).catch(() => null))) throw error
    await rm(unpacked, { recursive: true })
  })
  return found
}

/** Sets variables while the work runs, and restores the environment afterwards. */
async function withEnvironment(variables: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  const held = { ...process.env }
  Object.assign(process.env, variables)
  try {
    await work()
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in held)) delete process.env[name]
    Object.assign(process.env, held)
  }
}
