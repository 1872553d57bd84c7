// test: long
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testDatabase } from '../support/database.ts'
import { background, freePorts, temporaryFolder } from '../support/processes/command.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

test('the commands of the tutorial work when pasted one after another', async () => {
  const { url } = await testDatabase()
  const folder = await temporaryFolder()
  const env = { DATABASE_URL: url, DATA_DIR: join(folder, '.data'), ...(await freePorts()) }
  await background(['start', '--demo'], { env }).saying(/Ctrl\+C/)
  const tutorial = await readFile(join(repository, 'docs/start.md'), 'utf8')
  const commands = [...tutorial.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines)
  assert.ok(commands.length >= 10)

  // As npx finds them: the command line, and the Node that this project runs on.
  const npx = `npx() { shift; "${process.execPath}" "${repository}/cli/bin/vitrine.js" "$@"; }`
  const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', [npx, ...commands].join('\n')], {
    cwd: folder,
    env: { ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    maxBuffer: 16_000_000,
  })

  for (const expected of ['Daybreak Mug', '"senderConstrained": true', 'Four for three', '"in_force"', '1 created']) {
    assert.ok(stdout.includes(expected), expected)
  }
  const fiveMugs = [...stdout.matchAll(/"units": 5\b/g)].length
  assert.equal(fiveMugs, 2, 'the repeated call is answered alike, and adds nothing')
  assert.match(stdout, /"slug": "a-tin-whistle"/)
})
