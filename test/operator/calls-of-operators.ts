import { testProvider, worldWithProvider } from '../support/network/identity-provider.ts'
import { codeOfApp, operatorClient } from '../support/operator.ts'
import { TestPasskey } from '../support/passkey.ts'
import { startWorld, type World } from '../support/world.ts'
import { type Calls, changed, created, deleted } from './call.ts'
import { type Marketplace, OWNER, type SignedInOperator, signIn } from './marketplace.ts'

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
  signIn: ({ owner }) => ({
    // With its cookie, the session of the other calls would end.
    as: { ...owner, cookie: '' },
    body: OWNER,
    audit: created('operator', ({ operator }) => operator.id!),
  }),
  getSession: () => ({}),
  signOut: async (marketplace) => {
    const as = await signIn(marketplace, OWNER)
    return { as, audit: deleted('operator', as.id) }
  },
  addOperator: () => ({
    body: { email: 'ben@operator.example', role: 'support' },
    audit: created('operator', ({ id }) => id),
  }),
  listOperators: () => ({}),
  inviteOperatorAgain: async ({ operator }) => {
    const { id } = await operator.change('POST', '/operators', { email: 'eve@operator.example', role: 'finance' })
    return { params: { operatorId: id }, audit: created('operator', () => id) }
  },
  updateOperator: async (marketplace) => {
    const { id } = await newOperator(marketplace, 'cleo@operator.example')
    return { params: { operatorId: id }, body: { status: 'disabled' }, audit: changed('operator', id) }
  },
  endOperatorSessions: async (marketplace) => {
    const { id } = await newOperator(marketplace, 'flo@operator.example')
    return { params: { operatorId: id }, audit: changed('operator', id) }
  },
  createOperatorLink: async (marketplace) => {
    const { id } = await newOperator(marketplace, 'gus@operator.example')
    return { params: { operatorId: id }, audit: created('operator', () => id) }
  },
  requestOperatorPasswordReset: () => ({ body: { email: 'unknown@operator.example' } }),
  chooseOperatorPassword: async (marketplace) => {
    const { id, email } = await newOperator(marketplace, 'hal@operator.example')
    const { url } = await marketplace.operator.change('POST', `/operators/${id}/link`)
    return {
      as: { id, email, cookie: '' },
      body: { token: url.split('#')[1], password: 'another pass phrase of an operator' },
      audit: created('operator', () => id),
    }
  },
  listOwnSessions: () => ({}),
  endOwnSession: async (marketplace) => {
    const { email } = await newOperator(marketplace, 'ida@operator.example')
    await signIn(marketplace, { email, password: PASSWORD })
    const as = await signIn(marketplace, { email, password: PASSWORD })
    const client = await operatorClient(marketplace.shop, { cookie: as.cookie })
    const { items } = (await client.get('/sessions')).body.data
    const { id } = items.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    return { as, params: { sessionId: id }, audit: changed('operator', as.id) }
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
  getOwnProof: () => ({}),
  proveOwnSession: ({ owner }) => ({ body: { password: OWNER.password }, audit: created('operator', () => owner.id) }),
  getOwnSecondFactor: () => ({}),
  beginSecondFactor: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'jan@operator.example')
    return { as, body: { password: PASSWORD }, audit: created('operator', () => as.id) }
  },
  confirmSecondFactor: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'kai@operator.example')
    const { key } = await begun(marketplace, as)
    const code = codeOfApp(key, marketplace.shop.clock.now())
    return { as, body: { code }, audit: changed('operator', as.id) }
  },
  removeOwnSecondFactor: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'lea@operator.example')
    const [code = ''] = await withSecondFactor(marketplace, as)
    return { as, body: { password: PASSWORD, code }, audit: changed('operator', as.id) }
  },
  removeSecondFactor: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'max@operator.example')
    await withSecondFactor(marketplace, as)
    return { params: { operatorId: as.id }, audit: changed('operator', as.id) }
  },
  listOwnPasskeys: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'noa@operator.example')
    await withPasskey(marketplace, as)
    return { as }
  },
  beginPasskey: async (marketplace) => ({ as: await newSignedIn(marketplace, 'ora@operator.example') }),
  registerPasskey: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'pia@operator.example')
    const body = { name: 'Laptop', ...new TestPasskey().create(await challengeFor(marketplace, as)) }
    return { as, body, audit: created('operator', () => as.id) }
  },
  removeOwnPasskey: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'qi@operator.example')
    const { id } = await withPasskey(marketplace, as)
    return { as, params: { passkeyId: id }, audit: deleted('operator', as.id) }
  },
  beginPasskeyProof: () => ({}),
  beginPasskeySignIn: () => ({}),
  signInWithPasskey: async (marketplace) => {
    const as = await newSignedIn(marketplace, 'rita@operator.example')
    const { passkey } = await withPasskey(marketplace, as)
    const anonymous = await operatorClient(marketplace.shop, {})
    const { challenge } = (await anonymous.send('POST', '/passkey-sessions/challenge')).body.data
    const body = passkey.get({ challenge, origin: await consoleOf(marketplace) })
    return { as: { ...as, cookie: '' }, body, audit: created('operator', () => as.id) }
  },
  beginProviderSignIn: async (marketplace) => ({ world: await providerWorldOf(marketplace), body: { isFresh: false } }),
  signInWithProvider: async (marketplace) => {
    const world = await providerWorldOf(marketplace)
    const line = await operatorClient(world)
    const { id } = await line.change('POST', '/operators', { email: 'sam@shop.example', role: 'owner' })
    const body = await (await testProvider()).signIn(world, { email: 'sam@shop.example' })
    return { world, as: { id, email: 'sam@shop.example', cookie: '' }, body, audit: created('operator', () => id) }
  },
  unbindOperator: async (marketplace) => {
    const world = await providerWorldOf(marketplace)
    const line = await operatorClient(world)
    const as = await newSignedIn({ shop: world, operator: line }, 'tom@shop.example')
    const { id } = await line.change('POST', '/operators', { email: 'una@shop.example', role: 'support' })
    const body = await (await testProvider()).signIn(world, { email: 'una@shop.example' })
    const anonymous = await operatorClient(world, {})
    await anonymous.change('POST', '/provider-sessions', body)
    return { world, as, params: { operatorId: id }, audit: changed('operator', id) }
  },
  getOperatorPolicy: () => ({}),
  saveOperatorPolicy: async () => {
    const world = await startWorld()
    const line = await operatorClient(world)
    await line.change('PUT', '/operator-policy', { requiresSecondFactor: true, proofForRefundsOver: 250 })
    const as = await newSignedIn({ shop: world, operator: line }, 'nia@operator.example')
    await withSecondFactor({ shop: world }, as)
    return {
      world,
      as,
      body: { requiresSecondFactor: false, proofForRefundsOver: 250 },
      audit: changed('operator_policy', 'marketplace'),
    }
  },
  listSecrets: () => ({}),
  rotateSecret: () => ({ body: { purpose: 'page-form' }, audit: created('secret', () => 'page-form') }),
  rotateSealingKey: () => ({ body: {}, audit: created('sealing_key', ({ keyId }) => keyId) }),
  forgetPlainSecrets: () => ({ body: {}, audit: created('secret', () => 'plain') }),
  listAuditLog: () => ({ query: { limit: 100 } }),
  getWork: () => ({ query: { environment: 'test' } }),
  getSales: () => ({ query: { environment: 'test', days: 7 } }),
  findRecords: () => ({ query: { q: 'ada@example.com', environment: 'test' } }),
  getSystem: () => ({ query: { environment: 'test' } }),
} satisfies Partial<Calls>

const providerWorlds = new WeakMap<Marketplace, Promise<World>>()

/** The world of a marketplace whose operators sign in with a provider. */
function providerWorldOf(marketplace: Marketplace): Promise<World> {
  const found = providerWorlds.get(marketplace) ?? worldWithProvider()
  providerWorlds.set(marketplace, found)
  return found
}

type At = { readonly shop: World }

async function newSignedIn(marketplace: At & Pick<Marketplace, 'operator'>, email: string) {
  await marketplace.operator.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
  return signIn(marketplace as Marketplace, { email, password: PASSWORD })
}

async function begun({ shop }: At, { cookie }: SignedInOperator): Promise<{ readonly key: string }> {
  const client = await operatorClient(shop, { cookie })
  return client.change('POST', '/session/second-factor', { password: PASSWORD })
}

/** Turns the second factor of an operator on. @returns the recovery codes */
async function withSecondFactor(at: At, as: SignedInOperator): Promise<readonly string[]> {
  const { key } = await begun(at, as)
  const client = await operatorClient(at.shop, { cookie: as.cookie })
  const code = codeOfApp(key, at.shop.clock.now())
  return (await client.change('POST', '/session/second-factor/confirm', { code })).recoveryCodes
}

async function consoleOf({ shop }: At): Promise<string> {
  return (await (await operatorClient(shop)).get('/session/passkeys')).body.data.origin
}

async function challengeFor(at: At, { cookie }: SignedInOperator) {
  const client = await operatorClient(at.shop, { cookie })
  const { challenge } = (await client.send('POST', '/session/passkeys/challenge')).body.data
  return { challenge, origin: await consoleOf(at) }
}

async function withPasskey(
  at: At,
  as: SignedInOperator,
): Promise<{ readonly id: string; readonly passkey: TestPasskey }> {
  const passkey = new TestPasskey()
  const client = await operatorClient(at.shop, { cookie: as.cookie })
  const body = { name: 'Phone', ...passkey.create(await challengeFor(at, as)) }
  const { id } = await client.change('POST', '/session/passkeys', body)
  return { id, passkey }
}

function newOperator({ operator }: Marketplace, email: string) {
  return operator.change('POST', '/operators', { email, role: 'manager', password: PASSWORD })
}
