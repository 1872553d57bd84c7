import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit, waitsForLock } from '../../../../test/support/before-commit.ts'
import { startAccounts } from '../../../../test/support/commerce/accounts.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import { deleteAddress, insertAddress, listAddresses, saveAddress } from './addresses.ts'
import { savePassword } from './customer-store.ts'
import { hashNewPassword } from './new-password.ts'
import { changePassword, closeAccount } from './profile.ts'

const PASSWORD = 'a password of ada'
const address = {
  recipientName: 'Ada',
  line1: '1 Long Acre',
  city: 'London',
  postalCode: 'WC2E 9LH',
  countryCode: 'GB',
}

describe('an account that is changed in two tabs at once', () => {
  let accounts: Awaited<ReturnType<typeof startAccounts>>
  before(async () => {
    accounts = await startAccounts()
  })

  /** A customer with three addresses, the first of which is the default. */
  async function customerWithAddresses(email: string) {
    const { database, ids, clock } = accounts.world
    await accounts.customer(email, PASSWORD)
    const customerId = (await accounts.signIn(email, PASSWORD))!.id
    await database.transaction(async (tx) => {
      for (const _ of [1, 2, 3]) insertAddress(tx, customerId, { address, isDefault: false }, { ids, now: clock.now() })
    })
    const list = await listAddresses(database.reader, customerId)
    return { customerId, ids: list.map(({ id }) => id) as [string, string, string] }
  }

  /** Runs the second change before the first one is committed. */
  async function atOnce(first: (tx: Transaction) => unknown, second: (tx: Transaction) => unknown): Promise<void> {
    const { database } = accounts.world
    const begun = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await Promise.all([
      database.transaction(async (tx) => {
        await first(tx)
        await listAddresses(tx, '')
        begun.resolve()
        await sent.promise
      }),
      database.transaction(async (tx) => {
        await begun.promise
        const changed = second(tx)
        while (!(await waitsForLock(database)));
        sent.resolve()
        await changed
      }),
    ])
  }

  const defaultsOf = async (customerId: string) => {
    const list = await listAddresses(accounts.world.database.reader, customerId)
    return list.filter(({ is_default: isDefault }) => isDefault).map(({ id }) => id)
  }

  test('has the default address that was set last', async () => {
    const { customerId, ids } = await customerWithAddresses('two.tabs@example.com')
    const [, second, third] = ids
    const set = (id: string) => (tx: Transaction) =>
      saveAddress(tx, customerId, { id, address, isDefault: true }, accounts.world.clock.now())
    await atOnce(set(second), set(third))
    assert.deepEqual(await defaultsOf(customerId), [third])
  })

  test('keeps a default address if the old one and the next one are deleted', async () => {
    const { customerId, ids } = await customerWithAddresses('three.tabs@example.com')
    const [first, second, third] = ids
    const remove = (id: string) => (tx: Transaction) => deleteAddress(tx, customerId, id)
    await atOnce(remove(second), remove(first))
    assert.deepEqual(await defaultsOf(customerId), [third])
  })

  test('keeps the password of a reset that is confirmed while the earlier one is used to change it', async () => {
    const { world } = accounts
    const { database, ids, clock } = world
    const email = 'resetting@example.com'
    await accounts.customer(email, PASSWORD)
    const proved = (await accounts.signIn(email, PASSWORD))!
    const hashOf = (password: string) => hashNewPassword(password, email, 'password')
    const [ofReset, ofOther] = [await hashOf('the one of the reset'), await hashOf('the one of another person')]
    clock.advance(1000)
    const mails = { siteName: async () => 'Shop', pagesUrl: 'https://pages.example' }
    const context = { ids, now: clock.now(), mails, randomness: testRandomness(), agent: null }
    await refuses('credential_invalid', () =>
      beforeCommit(
        database,
        (tx) => savePassword(tx, proved.id, ofReset, { now: clock.now() }),
        () => database.transaction((tx) => changePassword(tx, proved, ofOther, context)),
      ),
    )
    assert.ok(await accounts.signIn(email, 'the one of the reset'))
  })

  test('is closed once', async () => {
    const { world } = accounts
    const email = 'closing@example.com'
    await accounts.customer(email, PASSWORD)
    const customer = (await accounts.signIn(email, PASSWORD))!
    const mails = { siteName: async () => 'Shop', pagesUrl: 'https://pages.example' }
    const close = (tx: Transaction) => closeAccount(tx, customer, { ids: world.ids, now: world.clock.now(), mails })
    await atOnce(close, close)
    await world.work()
    assert.equal((await world.mails()).filter(({ kind }) => kind === 'accounts.closed').length, 1)
    assert.equal(await accounts.signIn(email, PASSWORD), null)
  })
})
