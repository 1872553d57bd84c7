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
  test('leads to the state that the drawing names', () =>
    assert.deepEqual(transition(door, 'closed', 'lock'), { moved: true, to: 'locked' }))

  test('that is not drawn says where the thing stands and what is allowed now', () =>
    assert.deepEqual(transition(door, 'closed', 'brickUp'), {
      moved: false,
      conflict: { currentState: 'closed', allowed: ['open', 'lock'] },
    }))

  test('out of a final state does not exist', () =>
    assert.deepEqual(transition(door, 'bricked_up', 'open'), {
      moved: false,
      conflict: { currentState: 'bricked_up', allowed: [] },
    }))
})

describe('any sequence of commands', () => {
  test('lands in a declared state, and stays in a final one', () => {
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

describe('a drawing is refused', () => {
  test('when a state cannot be reached', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: ['b', 'c'], transitions: { a: { go: 'b' }, b: {}, c: {} } }),
      /c can be reached from a/,
    ))

  test('when a final state has a way out', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: ['b'], transitions: { a: { go: 'b' }, b: { back: 'a' } } }),
      /b is final exactly where it has no way out/,
    ))

  test('when a state without a way out is not called final', () =>
    assert.throws(
      () => machine({ initial: 'a', finals: [], transitions: { a: { go: 'b' }, b: {} } }),
      /b is final exactly where it has no way out/,
    ))

  test('when two states pass to each other for ever', () =>
    assert.throws(
      () =>
        machine({
          initial: 'a',
          finals: ['end'],
          transitions: { a: { stop: 'end', go: 'b' }, b: { on: 'c' }, c: { on: 'b' }, end: {} },
        }),
      /b can come to an end/,
    ))
})
