import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../../../cli/src/main.ts'
import { atFileEnd } from '../file-end.ts'
import { SEALING_KEY } from '../secrets.ts'
import { freePort } from './free-port.ts'

const launcher = fileURLToPath(new URL('../../../cli/bin/vitrine.js', import.meta.url))

/** The exit code and the output of a command. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface CommandOptions {
  /** Settings, in addition to those that every program needs. */
  readonly env?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
}

export interface LaunchOptions extends CommandOptions {
  readonly cwd?: string
}

/** The environment of a command: from this machine only the variables that every program needs. */
function environment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
  // The databases of worlds are sealed with their key.
  const key = own.DATABASE_URL !== undefined && { SEALING_KEY: SEALING_KEY.toString('base64') }
  // The launcher enables its cache only after a preloaded module is loaded, whose types took 0.06 s to strip at each start.
  const cache = NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }
  return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...cache, ...key, ...own }
}

/** Collects the output and the exit code of a process. */
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

/** A stream that stores its output. */
function recorder(): { readonly stream: Writable; text(): string } {
  const parts: Buffer[] = []
  const stream = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(parts).toString() }
}

/**
 * Runs a command in this process, which has already loaded the server's modules: a new process costs a second of processor
 * time. Pass absolute paths of files, because the command has the working directory of the test.
 */
export async function command(args: readonly string[], { env, input = '' }: CommandOptions = {}): Promise<Ran> {
  const [out, err] = [recorder(), recorder()]
  const code = await main(args, {
    env: environment(env),
    stdin: Readable.from([input]),
    stdout: out.stream,
    stderr: err.stream,
    stopSignal: () => Promise.reject(new Error('A command that runs until it is stopped belongs in the background.')),
  })
  return { code, out: out.text(), err: err.text() }
}

/** Runs a command in a new process, like a shell, and waits for its end. */
export function launched(args: readonly string[], { env, cwd, input }: LaunchOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [launcher, ...args], { env: environment(env), ...(cwd && { cwd }) })
  if (input !== undefined) child.stdin.end(input)
  return follow(child).ended
}

export interface BackgroundOptions extends Pick<LaunchOptions, 'env' | 'cwd'> {
  /** A module of the test that the process loads first. The test can send it messages. */
  readonly preload?: URL
}

/** With these flags the launcher does not start Node again, which would close the channel. */
const LAUNCHER_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/** A command that is still running. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  /** Its output so far. */
  readonly said: Readonly<Pick<Ran, 'out' | 'err'>>
  /** Waits until standard output matches. @returns the output so far */
  saying(what: RegExp): Promise<string>
}

/** Starts a command without waiting for its end. It is killed with the test file at the latest. */
export function background(args: readonly string[], { env, cwd, preload }: BackgroundOptions = {}): Running {
  const nodeOptions = preload ? [...LAUNCHER_FLAGS, `--import=${preload}`] : []
  const child = spawn(process.execPath, [...nodeOptions, launcher, ...args], {
    env: environment(env),
    ...(cwd && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe', ...(preload ? (['ipc'] as const) : [])],
  })
  const { said, ended } = follow(child)
  atFileEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    ended,
    said,
    saying: (what) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (what.test(said.out)) resolve(said.out)
        }
        child.stdout?.on('data', check)
        check()
        void ended.then(({ code, err }) =>
          reject(new Error(`It exited with ${code} and never printed ${what}: ${err}`)),
        )
      }),
  }
}

/** Free ports, one for each door, as settings. */
export async function freePorts() {
  const ports = new Set<number>()
  while (ports.size < 4) ports.add(await freePort())
  const [open = '', pages = '', operator = '', shop = ''] = [...ports].map(String)
  return { PUBLIC_PORT: open, PAGES_PORT: pages, OPERATOR_PORT: operator, SHOP_PORT: shop } as const
}

/** A folder that is removed with the test file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
