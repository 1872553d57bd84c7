import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/processes/command.ts'

const script = join(import.meta.dirname, '../../scripts/sdk-size.js')

/** Runs the check on an entry with this text. */
async function checked(text: string) {
  const entry = join(await temporaryFolder(), 'index.ts')
  await writeFile(entry, text)
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, entry], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the check prints the size of the SDK, and fails if it is too large', async () => {
  const small = await checked("export const small = 'small'\n")
  assert.deepEqual([small.status, small.stderr], [0, ''])
  assert.match(small.stdout, /^The SDK is 0\.\d KB compressed in a browser, of 15\.0 KB at most\.$/m)

  // Random bytes in base64 compress to three quarters.
  const large = await checked(`export const large = '${randomBytes(16 * 1024).toString('base64')}'\n`)
  assert.equal(large.status, 1)
  assert.match(large.stderr, /^It is \d+\.\d KB too large\.$/m)
})
