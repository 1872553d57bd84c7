import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInUnion } from './european-union.ts'

test('the VAT area has the member states without their excluded territories', () => {
  const inside = [
    { country: 'DE' },
    { country: 'GR', postalCode: '105 57' },
    { country: 'GR', postalCode: '630 81' },
    { country: 'ES', postalCode: '28001' },
    { country: 'IT', postalCode: '23030' },
  ]
  const outside = [
    { country: 'GB' },
    { country: 'CH' },
    { country: 'DE', postalCode: '78266' },
    { country: 'ES', postalCode: '35 001' },
    { country: 'FR', postalCode: '97400' },
    { country: 'GR', postalCode: '630 86' },
    { country: 'IT', postalCode: '23041' },
  ]
  assert.deepEqual([...inside, ...outside].map(isInUnion), [...inside.map(() => true), ...outside.map(() => false)])
})
