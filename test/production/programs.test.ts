import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const PROGRAMS = join(import.meta.dirname, 'programs.ts')

test('missing packages are named in one line, with how to install them, and no stack', () => {
  const script = `const { requirePackages } = await import(${JSON.stringify(PROGRAMS)}); requirePackages(['caddy'])`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: '' },
  })
  assert.equal(stderr, 'Missing Debian packages: sudo apt-get install --no-install-recommends caddy\n')
  assert.equal(status, 1)
})
