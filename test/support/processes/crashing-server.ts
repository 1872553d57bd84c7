import assert from 'node:assert/strict'
import { background, freePorts, type Running, temporaryFolder } from './command.ts'

/** A server in a process of its own that may kill itself, and comes back under the same address. */
export interface Mortal {
  /** Where its public door is. */
  readonly origin: string
  /** Whether it was killed and has not come back. */
  isDead(): boolean
  /** Waits until it is dead, and brings it back to a life in which nothing kills it. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server that kills itself at a point, with the settings that are given.
 *
 * @param beforeReturn what is done between its death and its return
 */
export async function startMortal(
  point: string,
  environment: Readonly<Record<string, string>>,
  beforeReturn: () => Promise<void>,
): Promise<Mortal> {
  const ports = await freePorts()
  const env = { ...environment, ...ports, DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'error' }
  const begin = (more: Readonly<Record<string, string>>) =>
    background(['start', '--json', '--empty', '--roles', 'public,worker'], { env: { ...env, ...more } })

  let living: Running = begin({ CRASH_AT: point })
  // What was left undone by others may kill it before it can say that it is there.
  await living.saying(/"doors"/).catch(() => undefined)
  return {
    origin: `http://127.0.0.1:${ports.PUBLIC_PORT}`,
    isDead: () => living.child.exitCode !== null || living.child.signalCode !== null,
    async revive() {
      const { code, err } = await living.ended
      assert.deepEqual([code, living.child.signalCode], [null, 'SIGKILL'], err)
      await beforeReturn()
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
