import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const TOKEN_BYTES = 32
const OWNER_ALONE = 0o600
const OPERATOR_TOKEN = 'operator-token'

/** The token of the command line at the operator door: read access to the data directory makes an operator. */
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
  const token = (await readFile(path, 'utf8')).trim()
  if (!TOKEN.test(token)) throw new Error(`${path} contains no token. Delete it and start again.`)
  return token
}
