import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atFileEnd } from '../file-end.ts'
import { freePort } from './free-port.ts'

const launcher = fileURLToPath(new URL('../../../cli/bin/vitrine.js', import.meta.url))

/** How a command ended and what it said. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  /** Settings, beside those that every program needs. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What is typed into it. */
  readonly input?: string
}

/** Nothing of this machine's settings reaches the command but what programs need to run at all. */
function environment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...own }
}

/** Collects what a process says, and how it ends. */
function follow(child: ChildProcess) {
  const said = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const ended: Promise<Ran> = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { said, ended }
}

/** Runs the command line to its end, as a person does. */
export function command(args: readonly string[], { env, cwd, input }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [launcher, ...args], { env: environment(env), ...(cwd && { cwd }) })
  if (input !== undefined) child.stdin.end(input)
  return follow(child).ended
}

/** A command that is still at work. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  /** Waits until it has said something on standard output that fits, and gives all of it. */
  saying(what: RegExp): Promise<string>
}

/** Runs the command line and goes on while it works. It is killed with the test file at the latest. */
export function background(args: readonly string[], { env, cwd }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [launcher, ...args], { env: environment(env), ...(cwd && { cwd }) })
  const { said, ended } = follow(child)
  atFileEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    ended,
    saying: (what) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (what.test(said.out)) resolve(said.out)
        }
        child.stdout?.on('data', look)
        look()
        void ended.then(({ code, err }) => reject(new Error(`It ended with ${code} and never said ${what}: ${err}`)))
      }),
  }
}

/** Ports that nobody uses, one for each door, as settings. */
export async function freePorts(): Promise<Readonly<Record<'PUBLIC_PORT' | 'PAGES_PORT' | 'OPERATOR_PORT', string>>> {
  const ports = new Set<number>()
  while (ports.size < 3) ports.add(await freePort())
  const [open = '', pages = '', operator = ''] = [...ports].map(String)
  return { PUBLIC_PORT: open, PAGES_PORT: pages, OPERATOR_PORT: operator }
}

/** A folder that goes with the test file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
