import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transition } from '../../../kernel/state-machine.ts'
import { type DeliveryCommand, type DeliveryStatus, deliveryMachine } from './delivery.ts'

describe('a delivery', () => {
  const commands: readonly DeliveryCommand[] = ['claim', 'succeed', 'retry', 'give_up', 'cancel']
  const table: Readonly<Record<DeliveryStatus, string>> = {
    //           claim       succeed    retry     give_up  cancel
    pending: '   delivering  -          -         -        canceled',
    delivering: '-           succeeded  retrying  dead     canceled',
    retrying: '  delivering  -          -         -        canceled',
    succeeded: ' -           -          -         -        -',
    dead: '      -           -          -         -        -',
    canceled: '  -           -          -         -        -',
  }
  for (const [status, line] of Object.entries(table) as [DeliveryStatus, string][]) {
    for (const [index, to] of line.trim().split(/\s+/).entries()) {
      const command = commands[index]!
      test(`${status}, ${command}: ${to === '-' ? 'unchanged' : to}`, () => {
        const moved = transition(deliveryMachine, status, command)
        assert.equal(moved.moved ? moved.to : '-', to)
      })
    }
  }
})
