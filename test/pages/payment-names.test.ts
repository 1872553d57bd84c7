import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonName } from '../../console/src/pages/payments/payment-names.ts'

test('a reason of a provider is shown in plain words, and an unknown one in its own', () => {
  assert.equal(reasonName('fraudulent'), 'Not authorized by the buyer')
  assert.equal(reasonName('no_such_reason'), 'No such reason')
})
