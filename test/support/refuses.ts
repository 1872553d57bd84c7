import assert from 'node:assert/strict'
import { Refusal } from '../../server/src/kernel/refusal.ts'

/** Runs what must be refused with this code, and gives the refusal for a closer look. */
export async function refuses(code: Refusal['code'], work: () => unknown): Promise<Refusal> {
  try {
    await work()
  } catch (error) {
    assert(error instanceof Refusal, `${error}`)
    assert.equal(error.code, code, JSON.stringify(error.facts))
    return error
  }
  assert.fail(`nothing was refused, where ${code} should be`)
}
