import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface PartOptions {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  /** Its working directory. Its output goes to the file `<name>.log` in it. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** The user and group it runs as, if not those of this process. */
  readonly account?: { readonly uid: number; readonly gid: number }
}

/** Like `RestartSec` of a systemd unit. */
const RESTART_AFTER_MS = 1000
const STOP_MS_MAX = 30_000

/** A process that is started again when it ends, as systemd does. */
export class Part {
  readonly #options: PartOptions
  #child: ChildProcess | null = null
  #isWanted = false
  #supervising: Promise<void> = Promise.resolve()

  constructor(options: PartOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** `null` while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  up(): void {
    if (this.#isWanted) return
    this.#isWanted = true
    this.#supervising = this.#supervise()
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Stops the process without a restart. It is killed if it does not end in time. */
  async down(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#isWanted = false
    this.signal(signal)
    const late = setTimeout(() => this.signal('SIGKILL'), STOP_MS_MAX)
    await this.#supervising
    clearTimeout(late)
  }

  async #supervise(): Promise<void> {
    const { program, args, folder, env, account, name } = this.#options
    const log = await open(join(folder, `${name}.log`), 'a')
    while (this.#isWanted) {
      // In a separate session: Ctrl-C in a terminal reaches only this process, which stops the others in order.
      const child = spawn(program, args, {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env },
        ...account,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      })
      this.#child = child
      await once(child, 'exit')
      this.#child = null
      if (this.#isWanted) await pause(RESTART_AFTER_MS)
    }
    await log.close()
  }
}
