import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerName, reasonName } from '../../console/src/pages/payments/payment-names.ts'

test('a reason of a provider is shown in plain words, and an unknown one in its own', () => {
  assert.equal(reasonName('fraudulent'), 'Not authorized by the buyer')
  assert.equal(reasonName('no_such_reason'), 'No such reason')
})

test('a provider is shown by its name', () => {
  assert.equal(providerName('stripe'), 'Stripe')
  assert.equal(providerName('manual'), 'Bank transfer or cash')
})
