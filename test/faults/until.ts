import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Each question whether a server is ready costs it a transaction. */
const POLL_MS = 200

/** Waits until something holds; while it fails it does not. @returns how long it took, in milliseconds */
export async function until(
  what: string,
  timeoutMs: number,
  holds: () => Promise<boolean>,
  report: () => Promise<string> | string = () => '',
): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const held = await holds().catch((error: Error) => error)
    const tookMs = performance.now() - startedAt
    if (held === true) return tookMs
    if (tookMs > timeoutMs) assert.fail(`${what}: not within ${timeoutMs} ms. ${held || ''} ${await report()}`)
    await pause(POLL_MS)
  }
}
