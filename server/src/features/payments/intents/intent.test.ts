import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transition } from '../../../kernel/state-machine.ts'
import { type IntentCommand, type IntentStatus, intentMachine } from './intent.ts'

const COMMANDS = [
  'submit',
  'proceed',
  'require_action',
  'pend',
  'reserve',
  'succeed',
  'fail',
  'void',
  'lose',
  'reconcile',
  'reverse',
] as const

/** Every state and command, in the order above. A dot: not allowed. */
const TABLE: Readonly<Record<IntentStatus, readonly (IntentStatus | '.')[]>> = {
  created: ['submitted', '.', '.', '.', '.', '.', '.', 'canceled', '.', '.', '.'],
  submitted: [
    '.',
    'submitted',
    'requires_action',
    'pending',
    'authorized',
    'succeeded',
    'failed',
    'canceled',
    'unknown',
    '.',
    '.',
  ],
  requires_action: [
    '.',
    'submitted',
    'requires_action',
    'pending',
    'authorized',
    'succeeded',
    'failed',
    '.',
    'unknown',
    '.',
    '.',
  ],
  pending: ['.', 'submitted', '.', 'pending', 'authorized', '.', 'failed', '.', 'unknown', '.', '.'],
  authorized: ['.', 'submitted', '.', '.', 'authorized', '.', 'failed', '.', 'unknown', '.', '.'],
  unknown: ['.', '.', '.', '.', '.', '.', '.', '.', '.', 'reconciling', '.'],
  reconciling: [
    '.',
    'submitted',
    'requires_action',
    'pending',
    'authorized',
    'succeeded',
    'failed',
    'canceled',
    'unknown',
    'reconciling',
    '.',
  ],
  succeeded: ['.', '.', '.', '.', '.', '.', '.', '.', '.', '.', 'failed'],
  failed: ['.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.'],
  canceled: ['.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.'],
}

describe('a payment intent', () => {
  for (const [state, row] of Object.entries(TABLE) as [IntentStatus, (typeof TABLE)[IntentStatus]][]) {
    for (const [index, expected] of row.entries()) {
      const command = COMMANDS[index] as IntentCommand
      test(`that is ${state} ${expected === '.' ? 'refuses' : 'takes'} ${command}`, () => {
        const step = transition(intentMachine, state, command)
        assert.equal(step.moved ? step.to : '.', expected)
        if (!step.moved) assert.equal(step.conflict.currentState, state)
      })
    }
  }

  test('has no other states than these', () => assert.deepEqual(intentMachine.states, Object.keys(TABLE)))

  test('is never canceled, failed or sent again from unknown: it is looked up', () =>
    assert.deepEqual(Object.keys(intentMachine.transitions.unknown), ['reconcile']))
})
