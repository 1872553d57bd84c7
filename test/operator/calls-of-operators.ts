import { type Calls, changed, made } from './call.ts'

export const ADA = { email: 'ada@operator.example', password: 'the pass phrase of ada' }
const BEN = { email: 'ben@operator.example', password: 'the pass phrase of ben' }

/** Whoever comes first, and signs in. */
export const callsAtTheStart = {
  getSetupState: () => ({}),
  setUp: async ({ shop }) => ({
    body: { ...ADA, setupToken: (await shop.app.setupToken()) ?? '' },
    leaves: made('operator', ({ operator }) => operator.id!),
  }),
  signIn: () => ({ body: ADA, leaves: made('operator', ({ operator }) => operator.id!) }),
  getSession: () => ({}),
  getDashboard: () => ({ query: { environment: 'test' } }),
} satisfies Partial<Calls>

/** What is done at the end of the day. */
export const callsAtTheEnd = {
  addOperator: () => ({ body: BEN, leaves: made('operator', ({ id }) => id) }),
  listOperators: () => ({}),
  setOperatorStatus: ({ said }) => {
    const { id } = said('addOperator')
    return { params: { operatorId: id }, body: { status: 'disabled' }, leaves: changed('operator', id) }
  },
  changeOwnPassword: ({ said }) => ({
    body: { currentPassword: ADA.password, newPassword: 'another pass phrase of hers' },
    leaves: changed('operator', said('setUp').operator.id!),
  }),
  listAuditLog: () => ({ query: { limit: 100 } }),
  signOut: ({ said }) => ({ leaves: { ...changed('operator', said('setUp').operator.id!), kind: 'gone' } }),
} satisfies Partial<Calls>
