import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Accounts, startAccounts } from '../../../../../test/support/commerce/accounts.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { findCustomerByEmail } from '../../../features/accounts/customer-store.ts'
import { closeAccount, openSession } from '../../../features/accounts/index.ts'
import { systemRandomness } from '../../../kernel/randomness.ts'

const ABSENT = '/customers/cus_01k5b7m2q8e9rtv3w4x5y6z7a8'

let accounts: Accounts
let operator: OperatorClient
before(async () => {
  accounts = await startAccounts()
  operator = await operatorClient(accounts.world)
  for (const name of ['ada', 'ben', 'eve']) {
    await accounts.customer(`${name}@example.com`)
    accounts.world.clock.advance(1000)
  }
})

const listed = async (query: string) => (await operator.get(`/customers?${query}`)).body.data
const masksOf = ({ items }: { items: readonly { emailMasked: string }[] }) => items.map((item) => item.emailMasked)
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

async function idOf(email: string): Promise<string> {
  return (await listed(`q=${encodeURIComponent(email)}`)).items[0].id
}

/** Signs a customer in, as our page does. */
async function signIn(email: string): Promise<string | null> {
  const { database, clock } = accounts.world
  return database.transaction(async (tx) => {
    const customer = await findCustomerByEmail(tx, email)
    return openSession(tx, customer!, { now: clock.now(), randomness: systemRandomness() })
  })
}

describe('customers', () => {
  test('are listed masked, newest first, in pages', async () => {
    assert.deepEqual(masksOf(await listed('')), ['e…@example.com', 'b…@example.com', 'a…@example.com'])
    const first = await listed('limit=2')
    assert.deepEqual(masksOf(await listed(`limit=2&cursor=${first.nextCursor}`)), ['a…@example.com'])
    assert.deepEqual(codeOf(await operator.get(`/customers?status=disabled&cursor=${first.nextCursor}`)), [
      400,
      'invalid_cursor',
    ])
  })

  test('are found by address, id and part of the name', async () => {
    const id = await idOf('BEN@example.com')
    assert.deepEqual(masksOf(await listed(`q=${id}`)), ['b…@example.com'])
    assert.deepEqual(masksOf(await listed('q=ben@example.co')), [])
    assert.deepEqual(masksOf(await listed('q=unknown')), [])
  })

  test('are exported with the search and the filter of the list, which the audit log does not keep', async () => {
    const exported = async (query: string) => {
      const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
      const answer = await fetch(`${operator.origin}/operator/v1/exports/customers?${query}`, { headers })
      const [, ...rows] = (await answer.text()).trim().split('\r\n')
      return rows.map((row) => row.split(',')[1])
    }
    assert.deepEqual(await exported('q=ben@example.com'), ['ben@example.com'])
    assert.deepEqual(await exported('q=ben@example.com&status=disabled'), [])
    assert.equal((await exported('')).length, 3)
    const recorded = (await operator.get('/audit-log')).body.data.items.map(({ after }: { after: unknown }) => after)
    assert.ok(recorded.some((after: unknown) => isDeepStrictEqual(after, { format: 'csv', searched: true })))
    assert.doesNotMatch(JSON.stringify(recorded), /ben@/)
  })

  test('are read unmasked', async () => {
    const { data } = (await operator.get(`/customers/${await idOf('ada@example.com')}`)).body
    assert.deepEqual([data.email, data.status], ['ada@example.com', 'active'])
    assert.deepEqual(codeOf(await operator.get(ABSENT)), [404, 'not_found'])
  })

  test('are disabled, which ends their sessions, and enabled again', async () => {
    const path = `/customers/${await idOf('eve@example.com')}`
    assert.notEqual(await signIn('eve@example.com'), null)
    assert.equal((await operator.get(path)).body.data.sessions, 1)
    const disabled = await operator.change('POST', `${path}/disable`, {})
    assert.deepEqual([disabled.status, disabled.sessions], ['disabled', 0])
    assert.equal(await signIn('eve@example.com'), null)
    assert.deepEqual(masksOf(await listed('status=disabled')), ['e…@example.com'])
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/disable`, {})), [409, 'state_conflict'])
    assert.equal((await operator.change('POST', `${path}/enable`, {})).status, 'active')
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/enable`, {})), [409, 'state_conflict'])
    assert.notEqual(await signIn('eve@example.com'), null)
    const log = JSON.stringify((await operator.get('/audit-log')).body)
    assert.ok(!log.includes('eve@example.com'), 'the audit log contains no customer address')
  })

  test('are signed out everywhere, and can sign in again', async () => {
    const path = `/customers/${await idOf('ada@example.com')}`
    await signIn('ada@example.com')
    const { status, sessions } = await operator.change('POST', `${path}/end-sessions`, {})
    assert.deepEqual([status, sessions], ['active', 0])
    for (const act of ['disable', 'enable', 'end-sessions']) {
      assert.deepEqual(codeOf(await operator.send('POST', `${ABSENT}/${act}`, {})), [404, 'not_found'], act)
    }
  })
})

describe('a customer', () => {
  test('who closed their account cannot be enabled again', async () => {
    const { database, clock, ids } = accounts.world
    await accounts.customer('closing@example.com')
    const customer = (await findCustomerByEmail(database.reader, 'closing@example.com'))!
    const mails = { siteName: async () => 'Market', pagesUrl: 'https://pages.example' }
    await database.transaction((tx) => closeAccount(tx, customer, { ids, now: clock.now(), mails }))
    const path = `/customers/${customer.id}`
    assert.equal((await operator.get(path)).body.data.status, 'disabled')
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/enable`, {})), [409, 'state_conflict'])
  })
})
