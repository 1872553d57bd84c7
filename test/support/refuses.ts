import assert from 'node:assert/strict'
import { Refusal } from '../../server/src/kernel/refusal.ts'

/** Asserts that the work is refused with this code. Returns the refusal. */
export async function refuses(code: Refusal['code'], work: () => unknown): Promise<Refusal> {
  try {
    await work()
  } catch (error) {
    assert(error instanceof Refusal, `${error}`)
    assert.equal(error.code, code, JSON.stringify(error.facts))
    return error
  }
  assert.fail(`expected ${code}, but nothing was refused`)
}
