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

describe('the current step', () => {
  const table: readonly (readonly [
    what: string,
    facts: Parameters<typeof session>[0],
    editing: Editing | undefined,
    step: string,
  ])[] = [
    ['without an email address', { lacks: ['email_missing'] }, undefined, 'address'],
    [
      'without an address, even when editing another step',
      { lacks: ['address_missing'], options: ['a', 'b'] },
      'shipping',
      'address',
    ],
    ['with an address whose postal code tax needs', { lacks: ['address_incomplete'] }, undefined, 'address'],
    ['with several shipping options and none chosen', { options: ['a', 'b'] }, undefined, 'shipping'],
    ['with a chosen option', { options: ['a', 'b'], chosen: true }, undefined, 'payment'],
    ['with one option', {}, undefined, 'payment'],
    ['with one option, when editing shipping', {}, 'shipping', 'payment'],
    ['when editing shipping', { options: ['a', 'b'], chosen: true }, 'shipping', 'shipping'],
    ['when editing the address', { chosen: true }, 'address', 'address'],
    ['when editing the billing address', { chosen: true }, 'billing', 'address'],
    ['without a shipping option', { lacks: ['shipping_unavailable'], options: [] }, undefined, 'payment'],
  ]
  for (const [what, facts, editing, step] of table) {
    test(`${what}: ${step}`, () => assert.equal(stepOf(session(facts), editing), step))
  }
})
