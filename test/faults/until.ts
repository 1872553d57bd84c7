import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Not shorter, because each readiness check costs the server a transaction. */
const POLL_MS = 200

/** Waits until a condition holds. An error counts as not yet. @returns how long it took, in milliseconds */
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
