import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../cli/bin/vitrine.js', import.meta.url))

/** The output of `vitrine start --json` once it is open. */
export interface Announcement {
  readonly doors: { readonly public: string; readonly operator: string }
}

export interface DemoKeys {
  readonly readKey: string
  readonly boundKey: string
  readonly privateKeyFile: string
}

export interface VitrineProcess {
  /** The id of the process in the operating system. */
  readonly id: number
  readonly announcement: Announcement
  /** The time from the call to the announcement. */
  readonly startMs: number
  residentBytes(): Promise<number>
  stop(): Promise<void>
}

export type Environment = Readonly<Record<string, string>>

const running = new Set<ChildProcess>()

/** Ends a process with this run, however it ends. */
export function endWithRun(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** Ends all processes of this run, so that whatever waits for their answers fails. */
export function endAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

function spawnVitrine(args: readonly string[], environment: Environment): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A signal from the terminal is for the benchmark, which then ends them in order.
    detached: true,
  })
  endWithRun(child)
  return child
}

/** Starts the real process on loopback and waits until its doors are open. */
export async function startVitrine(args: readonly string[], environment: Environment): Promise<VitrineProcess> {
  const startedAt = performance.now()
  const child = spawnVitrine(['start', '--json', ...args], environment)
  const announcement = JSON.parse(await firstLine(child)) as Announcement
  const startMs = performance.now() - startedAt
  return {
    id: child.pid as number,
    announcement,
    startMs,
    residentBytes: () => residentBytesOf(child.pid as number),
    async stop() {
      if (!running.has(child)) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Runs a command to its end and reads its JSON. */
export async function runVitrine<Result>(args: readonly string[], environment: Environment): Promise<Result> {
  const child = spawnVitrine([...args, '--json'], environment)
  return JSON.parse(await firstLine(child)) as Result
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8')
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error('The process ended before it answered.')
}

/** @see proc_pid_status(5), VmRSS */
async function residentBytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kibibytes === undefined) throw new Error('The kernel does not report VmRSS.')
  return Number(kibibytes) * 1024
}
