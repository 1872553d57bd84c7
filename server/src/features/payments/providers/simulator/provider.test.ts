import { adapterKit } from '../../../../../../test/support/commerce/adapter-kit.ts'
import { paymentsWorld } from '../../../../../../test/support/commerce/payments.ts'
import { FAULTS, type FaultKind } from './faults.ts'

adapterKit('the simulator', ['authorize', 'capture', 'refund'], async () => {
  const world = await paymentsWorld()
  const { simulator, later } = world
  const notify = (key: string, id: string) => world.notification({ id, key })
  return {
    world,
    provider: world.providers[0]!,
    faults: Object.keys(FAULTS) as readonly FaultKind[],
    misbehave: (fault) => void simulator.faults.push(fault),
    behave: () => {
      simulator.faults.length = 0
    },
    arrive: () => {
      for (const { act } of later.splice(0)) act()
    },
    approve: ({ providerReference }) => {
      if (providerReference) simulator.act(providerReference, true)
    },
    movements: (id) =>
      simulator.bank.books(`${id}:authorize`).map(({ operation, amount }) => ({ operation, amount: BigInt(amount) })),
    notification: ({ id }, notification) => notify(`${id}:authorize`, notification),
    forgeries: ({ id }) => {
      const genuine = notify(`${id}:authorize`, 'n-1')
      return [
        world.notification({ id: 'n-1', key: `${id}:authorize` }, 'another secret'),
        { ...genuine, body: Buffer.from(genuine.body.toString().replace('n-1', 'n-2')) },
        { headers: {}, body: genuine.body },
      ]
    },
  }
})
