#!/usr/bin/env node
/**
 * Starts the command line on a Node that runs it: this one where it is new enough, else the one from npm. Plain JavaScript,
 * so that an old Node can read it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MINIMUM = [22, 18]
/**
 * Room for young objects. On a machine with much memory V8 takes up to 128 MiB, and a busy server's 280 MiB become 390. From
 * the 1 MiB that it begins with it collects so often that a cached read takes 47 µs instead of 36. Read once, when a process
 * starts, so it cannot be set later.
 */
const FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16']
/** glibc keeps an arena for each thread and never returns it: 40 MiB. Also read when a process starts. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', ...process.env }

if (isNewEnough(process.versions.node)) {
  beginAgainWithFlags()
  // Caches compiled code, which halves the time of a short command. In this folder, where no other user can write.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
  const { main } = await import(program())
  process.exitCode = await main(process.argv.slice(2))
} else {
  runOn(findNode())
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])
}

/** All modules in a few files, if they were joined and no source has changed since; else compiled, else the sources. */
function program() {
  const joined = new URL('../../server/dist/program.json', import.meta.url)
  const { main, inputs } = existsSync(joined) ? JSON.parse(readFileSync(joined, 'utf8')) : {}
  if (main && inputs.every(isUnchanged)) return new URL(main, joined).href
  const compiled = new URL('../src/main.js', import.meta.url)
  return existsSync(compiled) ? compiled.href : new URL('../src/main.ts', import.meta.url).href
}

/** 5 ms for all of them, next to 450 that are saved. */
function isUnchanged([path, mtimeMs, size]) {
  const found = statSync(new URL(`../../${path}`, import.meta.url), { throwIfNoEntry: false })
  return found?.mtimeMs === mtimeMs && found.size === size
}

/** Replaces this process by the same program with the flags, if the system and this Node support it. */
function beginAgainWithFlags() {
  if (process.platform === 'win32' || !process.execve || FLAGS.every((flag) => process.execArgv.includes(flag))) return
  const args = [process.execPath, ...process.execArgv, ...FLAGS, ...process.argv.slice(1)]
  process.execve(process.execPath, args, ENVIRONMENT)
}

function findNode() {
  const name = `node-${process.platform}-${process.arch}`
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  try {
    if (isMusl) throw new Error('there is no Node for musl on npm')
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node')
  } catch {
    console.error(
      `Vitrine needs Node ${MINIMUM.join('.')} or newer, and this is ${process.versions.node}: install a newer one.`,
    )
    process.exit(1)
  }
}

function runOn(node) {
  const child = spawn(node, [...FLAGS, ...process.argv.slice(1)], { stdio: 'inherit', env: ENVIRONMENT })
  // A terminal signals both processes; a signal from another process is forwarded to the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Vitrine cannot be started with ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}
