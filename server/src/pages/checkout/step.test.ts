import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageSession } from '../../features/checkout/index.ts'
import { type Editing, stepOf } from './step.ts'

function session(facts: { lacks?: readonly string[]; options?: readonly string[]; chosen?: boolean }): PageSession {
  const { lacks = [], options = ['one'], chosen = false } = facts
  return {
    session: { blockers: lacks.map((code) => ({ code, path: '/', message: '' })) },
    shippingOptions: options.map((id) => ({ id, storeId: 'store_a' })),
    selectedShipping: [{ storeId: 'store_a', chosen }],
  } as unknown as PageSession
}

describe('the next step', () => {
  const table: readonly (readonly [
    what: string,
    facts: Parameters<typeof session>[0],
    editing: Editing | undefined,
    step: string,
  ])[] = [
    ['without an e-mail address', { lacks: ['email_missing'] }, undefined, 'address'],
    [
      'without an address, whatever else is looked at',
      { lacks: ['address_missing'], options: ['a', 'b'] },
      'shipping',
      'address',
    ],
    ['with several ways to ship of which none was chosen', { options: ['a', 'b'] }, undefined, 'shipping'],
    ['with a way that was chosen', { options: ['a', 'b'], chosen: true }, undefined, 'payment'],
    ['with one way alone', {}, undefined, 'payment'],
    ['with one way alone, that nobody can choose among', {}, 'shipping', 'payment'],
    ['to look at the way again', { options: ['a', 'b'], chosen: true }, 'shipping', 'shipping'],
    ['to look at the address again', { chosen: true }, 'address', 'address'],
    ['to look at the bill', { chosen: true }, 'billing', 'address'],
    ['where nothing is shipped to', { lacks: ['shipping_unavailable'], options: [] }, undefined, 'payment'],
  ]
  for (const [what, facts, editing, step] of table) {
    test(`${what}: ${step}`, () => assert.equal(stepOf(session(facts), editing), step))
  }
})
