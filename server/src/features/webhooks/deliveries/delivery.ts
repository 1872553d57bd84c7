import { machine } from '../../../kernel/state-machine.ts'

export type DeliveryStatus = 'pending' | 'delivering' | 'retrying' | 'succeeded' | 'dead' | 'canceled'
export type DeliveryCommand = 'claim' | 'succeed' | 'retry' | 'give_up' | 'cancel'

/** The states of the delivery of one event to one endpoint. A replay is a new delivery. @see docs/reference/rules.md#state-machines */
export const deliveryMachine = machine<DeliveryStatus, DeliveryCommand>({
  initial: 'pending',
  finals: ['succeeded', 'dead', 'canceled'],
  transitions: {
    pending: { claim: 'delivering', cancel: 'canceled' },
    delivering: { succeed: 'succeeded', retry: 'retrying', give_up: 'dead', cancel: 'canceled' },
    retrying: { claim: 'delivering', cancel: 'canceled' },
    succeeded: {},
    dead: {},
    canceled: {},
  },
})
