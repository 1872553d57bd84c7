import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { limitConcurrency } from './limit-concurrency.ts'

describe('a limit of two', () => {
  test('runs at most two at once, in order, whether they succeed or fail', async () => {
    const limited = limitConcurrency(2, 9)
    let running = 0
    let most = 0
    const order: number[] = []
    const works = Array.from({ length: 9 }, (_, index) =>
      limited(async () => {
        order.push(index)
        running += 1
        most = Math.max(most, running)
        await turn()
        running -= 1
        if (index % 3 === 0) throw new Error(`no ${index}`)
        return index
      }),
    )
    const ended = await Promise.allSettled(works)
    assert.equal(most, 2)
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    assert.deepEqual(
      ended.map((each) => (each.status === 'fulfilled' ? each.value : 'failed')),
      ['failed', 1, 2, 'failed', 4, 5, 'failed', 7, 8],
    )
    assert.equal(await limited(async () => 'again'), 'again')
  })

  test('refuses work at once if too many others are waiting', async () => {
    const limited = limitConcurrency(2, 3)
    const ended = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => limited(async () => index)))
    assert.deepEqual(
      ended.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)),
      [0, 1, 2, 3, 4, 'unavailable', 'unavailable', 'unavailable'],
    )
    assert.equal(await limited(async () => 'again'), 'again')
  })
})
