import assert from 'node:assert/strict'
import { test } from 'node:test'

let failed: string | null = null

/** A test that builds on the earlier ones: after one has failed, the others fail at once. */
export function step(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    assert.equal(failed, null, 'an earlier step failed')
    failed = name
    await run()
    failed = null
  })
}
