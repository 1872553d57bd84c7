import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { machine, transition } from './state-machine.ts'

const door = machine({
  initial: 'open',
  finals: ['bricked_up'],
  transitions: {
    open: { close: 'closed' },
    closed: { open: 'open', lock: 'locked' },
    locked: { unlock: 'closed', brickUp: 'bricked_up' },
    bricked_up: {},
  },
})

describe('a transition', () => {
  test('results in the state of the definition', () =>
    assert.deepEqual(transition(door, 'closed', 'lock'), { moved: true, to: 'locked' }))

  test('that is not defined returns the current state and the allowed commands', () =>
    assert.deepEqual(transition(door, 'closed', 'brickUp'), {
      moved: false,
      conflict: { currentState: 'closed', allowed: ['open', 'lock'] },
    }))

  test('from a final state is never allowed', () =>
    assert.deepEqual(transition(door, 'bricked_up', 'open'), {
      moved: false,
      conflict: { currentState: 'bricked_up', allowed: [] },
    }))
})

describe('any sequence of commands', () => {
  test('ends in a defined state, and stays in a final one', () => {
    const commands = fc.array(fc.constantFrom('open', 'close', 'lock', 'unlock', 'brickUp'))
    fc.assert(
      fc.property(commands, (sequence) => {
        let state = door.initial
        for (const command of sequence) {
          const step = transition(door, state, command)
          if (door.finals.includes(state)) assert.equal(step.moved, false)
          if (step.moved) state = step.to
          assert.ok(door.states.includes(state))
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a definition is refused', () => {
  test('with an unreachable state', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: ['b', 'c'], transitions: { a: { go: 'b' }, b: {}, c: {} } }),
      /c is reachable from a/,
    ))

  test('with a command in a final state', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: ['b'], transitions: { a: { go: 'b' }, b: { back: 'a' } } }),
      /b is final exactly if it has no commands/,
    ))

  test('with a non-final state without commands', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: [], transitions: { a: { go: 'b' }, b: {} } }),
      /b is final exactly if it has no commands/,
    ))

  test('with two states that only lead to each other', () =>
    assert.throws(
      () =>
        machine({
          initial: 'a',
          finals: ['end'],
          transitions: { a: { stop: 'end', go: 'b' }, b: { on: 'c' }, c: { on: 'b' }, end: {} },
        }),
      /b can reach a final state/,
    ))
})
