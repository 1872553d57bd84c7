import assert from 'node:assert/strict'
import { background, freePorts, type Running, temporaryFolder } from './command.ts'

/** A server in its own process that kills itself at a point and is restarted at the same address. */
export interface CrashingServer {
  /** The address of its public door. */
  readonly origin: string
  /** Whether it was killed and not yet restarted. */
  isDead(): boolean
  /** Waits until it is dead, and restarts it without the crash point. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server that kills itself at a point.
 *
 * @param beforeRestart runs between the crash and the restart
 */
export async function startCrashingServer(
  point: string,
  environment: Readonly<Record<string, string>>,
  beforeRestart: () => Promise<void>,
): Promise<CrashingServer> {
  const ports = await freePorts()
  const env = { ...environment, ...ports, DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'error' }
  const begin = (more: Readonly<Record<string, string>>) =>
    background(['start', '--json', '--empty', '--roles', 'public,worker'], { env: { ...env, ...more } })

  let living: Running = begin({ CRASH_AT: point })
  // Work that earlier tests left may crash it before it is ready.
  await living.saying(/"doors"/).catch(() => undefined)
  return {
    origin: `http://127.0.0.1:${ports.PUBLIC_PORT}`,
    isDead: () => living.child.exitCode !== null || living.child.signalCode !== null,
    async restart() {
      const { code, err } = await living.ended
      assert.deepEqual([code, living.child.signalCode], [null, 'SIGKILL'], err)
      await beforeRestart()
      living = begin({})
      await living.saying(/"doors"/)
    },
    async stop() {
      living.child.kill('SIGTERM')
      const { code, err } = await living.ended
      assert.equal(code, 0, err)
    },
  }
}
