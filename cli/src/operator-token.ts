import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CommandError } from './failure.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const TOKEN_BYTES = 32
const ATTEMPTS_MAX = 20
const ATTEMPT_MS = 50
const OWNER_ALONE = 0o600
const OPERATOR_TOKEN = 'operator-token'

/** The token of the command line for the operator door: read access to the data directory grants operator access. */
export function operatorToken(dataDirectory: string): Promise<string> {
  return keptSecret(dataDirectory, OPERATOR_TOKEN)
}

/** A secret in a file of the data directory, readable by its owner only. The first process creates it. */
export async function keptSecret(dataDirectory: string, name: string): Promise<string> {
  const path = join(dataDirectory, name)
  await mkdir(dataDirectory, { recursive: true })
  try {
    const file = await open(path, 'wx', OWNER_ALONE)
    try {
      await file.writeFile(`${randomBytes(TOKEN_BYTES).toString('base64url')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const token = (await readFile(path, 'utf8')).trim()
    if (TOKEN.test(token)) return token
    // The process that created the file may not have written it yet.
    await setTimeout(ATTEMPT_MS)
  }
  throw new CommandError(`${path} contains no token. Delete it and start again.`)
}

/** The setup link of the first operator, in a file of the data directory. */
export interface SetupLink {
  readonly url: string
  readonly file: string
  /** Whether this call wrote it. A link is a secret, so it is printed once, not to the log of every start. */
  readonly isNew: boolean
}

/** Stores the setup link, or removes it if there is none anymore. */
export async function keepSetupLink(dataDirectory: string, url: string | null): Promise<SetupLink | null> {
  const file = resolve(dataDirectory, 'setup-link')
  if (url === null) {
    await rm(file, { force: true })
    return null
  }
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (stored?.trim() === url) return { url, file, isNew: false }
  // Of two processes that start at once, neither finds the file half written or in its way.
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(partial, `${url}\n`, { mode: OWNER_ALONE, flag: 'wx' })
  await rename(partial, file)
  return { url, file, isNew: true }
}
