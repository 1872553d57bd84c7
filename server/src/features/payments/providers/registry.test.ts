import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adapterKit } from '../../../../../test/support/commerce/adapter-kit.ts'
import { transferBank } from '../../../../../test/support/commerce/transfer-bank.ts'
import { checkedAnswer, type ProviderCall } from './provider.ts'
import { manualProvider } from './registry.ts'

adapterKit('bank transfers', ['authorize', 'refund'], transferBank, ['authorize'])

describe('the manual provider', () => {
  const provider = manualProvider()
  const call = { intentId: 'pay_1', amount: 100n, currency: 'EUR' } as ProviderCall

  test('moves no money by itself: charge and refund wait for an operator, and a lookup finds nothing', async () => {
    const waits = { kind: 'action_required', reference: 'pay_1', url: null }
    assert.deepEqual([await provider.authorize(call), await provider.refund(call)], [waits, waits])
    assert.deepEqual(await provider.lookup(call), { kind: 'never_seen' })
  })

  test('answers with the requested amount', async () => {
    for (const answer of [await provider.capture(call), await provider.cancel(call)]) {
      assert.equal(checkedAnswer(call, answer).kind, 'done')
    }
  })

  test('takes no notification, signed or not', async () => {
    assert.equal(await provider.verify({ headers: {}, body: Buffer.from('{}') }, new Date(0)), null)
  })
})
