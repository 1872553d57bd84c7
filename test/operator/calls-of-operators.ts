import { startWorld } from '../support/world.ts'
import { type Calls, changed, created, deleted } from './call.ts'
import { type Marketplace, OWNER, signIn } from './marketplace.ts'

const PASSWORD = 'a pass phrase of an operator'

/** Operators and their sessions. */
export const callsOfOperators = {
  getSetupState: () => ({}),
  setUp: async () => {
    const world = await startWorld()
    return {
      world,
      body: { ...OWNER, setupToken: (await world.app.setupToken()) ?? '' },
      audit: created('operator', ({ operator }) => operator.id!),
    }
  },
  signIn: () => ({ body: OWNER, audit: created('operator', ({ operator }) => operator.id!) }),
  getSession: () => ({}),
  signOut: async (marketplace) => {
    const as = await signIn(marketplace, OWNER)
    return { as, audit: deleted('operator', as.id) }
  },
  addOperator: () => ({
    body: { email: 'ben@operator.example', password: PASSWORD },
    audit: created('operator', ({ id }) => id),
  }),
  listOperators: () => ({}),
  setOperatorStatus: async (marketplace) => {
    const { id } = await newOperator(marketplace, 'cleo@operator.example')
    return { params: { operatorId: id }, body: { status: 'disabled' }, audit: changed('operator', id) }
  },
  changeOwnPassword: async (marketplace) => {
    const { email } = await newOperator(marketplace, 'dan@operator.example')
    const as = await signIn(marketplace, { email, password: PASSWORD })
    return {
      as,
      body: { currentPassword: PASSWORD, newPassword: 'another pass phrase of an operator' },
      audit: changed('operator', as.id),
    }
  },
  listAuditLog: () => ({ query: { limit: 100 } }),
  getDashboard: () => ({ query: { environment: 'test' } }),
} satisfies Partial<Calls>

function newOperator({ operator }: Marketplace, email: string) {
  return operator.change('POST', '/operators', { email, password: PASSWORD })
}
