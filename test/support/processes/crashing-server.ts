import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Role } from '@vitrine/server'
import type { CrashPoint } from '../../../server/src/platform/crash/crash-points.ts'
import { background, freePorts, type Running, temporaryFolder } from './command.ts'

/** A server in its own process that kills itself at a crash point and is restarted at the same address. */
export interface CrashingServer {
  /** The address of its public door. */
  readonly origin: string
  /** The address of its pages door, if it has that role. */
  readonly pagesUrl: string
  /** The address of its operator door, if it has that role. */
  readonly operatorUrl: string
  /** Sets the next crash point of the running process, because a new one would cost a second of processor time. */
  arm(point: CrashPoint): Promise<void>
  /** Whether it was killed and not yet restarted. */
  isDead(): boolean
  /** Waits until the process is dead, runs the given work, and restarts the server without a crash point. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Starts a server that kills itself at the crash point in CRASH_AT, or at one that is armed later. */
export async function startCrashingServer(
  environment: Readonly<Record<string, string>> & { readonly CRASH_AT: CrashPoint },
  roles: readonly Role[] = ['public', 'worker'],
): Promise<CrashingServer> {
  const ports = await freePorts()
  const { CRASH_AT, ...others } = environment
  const env = { DATA_DIR: await temporaryFolder(), ...others, ...ports, LOG_LEVEL: 'error' }
  const start = async (more: Readonly<Record<string, string>> = {}) => {
    const started = background(['start', '--json', '--empty', '--roles', roles.join(',')], {
      env: { ...env, ...more },
      preload: new URL('./arming.ts', import.meta.url),
    })
    await started.saying(/"doors"/)
    return started
  }

  let living: Running = await start({ CRASH_AT })
  let armed: CrashPoint | null = CRASH_AT
  return {
    origin: `http://127.0.0.1:${ports.PUBLIC_PORT}`,
    pagesUrl: `http://127.0.0.1:${ports.PAGES_PORT}`,
    operatorUrl: `http://127.0.0.1:${ports.OPERATOR_PORT}`,
    async arm(point) {
      if (armed === point) return
      const answered = once(living.child, 'message')
      living.child.send(point)
      const died = living.ended.then(({ err }) => assert.fail(`it died before it was armed: ${err}`))
      await Promise.race([answered, died])
      armed = point
    },
    isDead: () => living.child.exitCode !== null || living.child.signalCode !== null,
    async restart(meanwhile) {
      const { code, err } = await living.ended
      assert.deepEqual([code, living.child.signalCode], [null, 'SIGKILL'], err)
      await meanwhile()
      living = await start()
      armed = null
    },
    async stop() {
      living.child.kill('SIGTERM')
      const { code, err } = await living.ended
      assert.equal(code, 0, err)
    },
  }
}
