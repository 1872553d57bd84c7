import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../support/processes/command.ts'

/** npm that takes a second, and logs when it begins and ends. */
const NPM = `
import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('npm.log', 'begin ')
setTimeout(() => {
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1' } } }))
  appendFileSync('npm.log', 'end ')
}, 1000)`

/** Stops a process before it removes the lock, until the file \`go\` exists. */
const SLOW = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { rmSync } = fs
fs.rmSync = (path, options) => {
  if (path.endsWith('setup.lock') && !fs.existsSync('go')) {
    fs.writeFileSync('about-to-remove', '')
    while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
  rmSync(path, options)
}
syncBuiltinESMExports()`

/** No process has it. */
const DEAD_PID = '4194305'

/** A copy of the script, without its builds, in a repository whose packages are not installed. */
async function repository() {
  const folder = await temporaryFolder()
  for (const each of ['scripts', 'node_modules', '.cache']) await mkdir(join(folder, each))
  const script = await readFile(join(import.meta.dirname, '../../scripts/setup.js'), 'utf8')
  const files = {
    'package-lock.json': JSON.stringify({ packages: { 'node_modules/a': { version: '1' } } }),
    'package.json': '{"type":"module"}',
    'scripts/setup.js': script.replace(/^const BUILDS = \{$.*?^\}$/ms, 'const BUILDS = {}'),
    'npm.js': NPM,
    'npm.log': '',
    'slow.js': SLOW,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const lock = join(folder, '.cache/setup.lock')
  return {
    lock,
    has: (name: string) => existsSync(join(folder, name)),
    write: (name: string) => writeFile(join(folder, name), ''),
    log: () => readFile(join(folder, 'npm.log'), 'utf8'),
    /** Runs the script. @returns its exit code and output */
    async setUp(...options: string[]) {
      const child = spawn(process.execPath, [...options, 'scripts/setup.js'], {
        cwd: folder,
        env: { PATH: process.env.PATH, npm_execpath: 'npm.js', npm_node_execpath: process.execPath },
        stdio: ['ignore', 'pipe', 'inherit'],
        // A process that waits forever fails the test.
        timeout: 60_000,
      })
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      const [code] = await once(child, 'close')
      return { code, out }
    },
  }
}

async function until(isTrue: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  for (const end = Date.now() + limitMs; Date.now() < end && !(await isTrue()); ) await pause(20)
}

describe('the setup of the repository', { concurrency: true }, () => {
  test('installs packages once if two processes find the lock of a dead one', async () => {
    const its = await repository()
    await writeFile(its.lock, DEAD_PID)
    const slow = its.setUp('--import=./slow.js')
    await until(() => its.has('about-to-remove'))
    const other = its.setUp()
    // It installs, or it waits for the one that removes the lock.
    await until(async () => (await its.log()) !== '', 3000)
    await its.write('go')
    const codes = (await Promise.all([slow, other])).map(({ code }) => code)
    assert.deepEqual([codes, await its.log()], [[0, 0], 'begin end '])
  })

  test('does not wait for a process that was killed before it wrote its id, or while it removed a lock', async () => {
    const its = await repository()
    await writeFile(its.lock, '')
    await mkdir(`${its.lock}.removal`)
    for (const path of [its.lock, `${its.lock}.removal`]) await utimes(path, new Date(0), new Date(0))
    const { code } = await its.setUp()
    assert.deepEqual([code, await its.log()], [0, 'begin end '])
  })
})
