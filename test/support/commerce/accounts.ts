import type { GrantPurpose } from '../../../server/src/features/access/index.ts'
import {
  type Customer,
  type CustomerSecret,
  confirmRegistration,
  findCustomerSession,
  hashNewPassword,
  openSession,
  register,
  verifySignIn,
} from '../../../server/src/features/accounts/index.ts'
import { statement } from '../../../server/src/platform/postgres/index.ts'
import { testRandomness } from '../randomness.ts'
import { gate } from '../store-access.ts'
import { startWorld, type World, type WorldOptions } from '../world.ts'
import { storeLine } from './catalog.ts'

export { assertRefused } from './shop.ts'

export const ACCOUNTS = {
  register: '/api/v1/auth/register',
  requestReset: '/api/v1/auth/password/reset/request',
  confirmReset: '/api/v1/auth/password/reset/confirm',
} as const

/** Input of a registration. */
export const registration = {
  email: 'ada@example.com',
  password: 'a password of ada',
  firstName: 'Ada',
  acceptedDocuments: [],
}

const block = statement('test.block', "update customers set status = 'blocked' where email = $1")
const everything = statement(
  'test.everything_kept',
  `select (select jsonb_agg(registrations) from registrations) as registrations,
     (select jsonb_agg(customers) from customers) as customers, (select jsonb_agg(jobs) from jobs) as jobs`,
)

/** A world with customers. */
export interface Accounts {
  readonly world: World
  /** A customer with a confirmed address. */
  customer(email: string, password?: string): Promise<void>
  /** Confirms a registration with the link of its email. */
  confirm(link: string): Promise<void>
  block(email: string): Promise<void>
  /** The customer with this address and password. */
  signIn(email: string, password: string): Promise<CustomerSecret | null>
  openSession(customer: CustomerSecret): Promise<string | null>
  /** The session cookie of a customer. */
  session(email: string): Promise<string>
  whoIs(session: string): Promise<Customer['email'] | null>
  /** The actions that need a solved challenge. */
  demandGrants(purposes: readonly GrantPurpose[]): Promise<void>
  /** The rows of the account tables. */
  everythingKept(): Promise<unknown>
}

const PASSWORD = 'the usual password here'

export async function startAccounts(options: WorldOptions = {}): Promise<Accounts> {
  return accountsOf(await startWorld(options))
}

/** Account helpers for an existing world. */
export function accountsOf(world: World): Accounts {
  const { database, clock, ids } = world
  const randomness = testRandomness()
  let hasStore = false

  const accounts: Accounts = {
    world,

    async customer(email, password = PASSWORD) {
      const now = clock.now()
      const passwordHash = await hashNewPassword(password, email, '/password')
      const registration = { email, passwordHash, firstName: 'Ada', lastName: null, locale: 'en' }
      await database.transaction(async (tx) => {
        register(tx, { ...registration, marketingConsent: false, acceptedDocuments: [] }, { ids, now })
      })
      await world.work()
      const mail = (await world.mails()).find(({ recipient }) => recipient === email)
      await accounts.confirm(mail!.link)
    },

    async confirm(link) {
      const token = new URL(link).searchParams.get('token')!
      await database.transaction((tx) => confirmRegistration(tx, token, { ids, now: clock.now() }))
    },

    block: (email) => database.transaction(async (tx) => tx.write(block, [email])),
    signIn: (email, password) => verifySignIn(database.reader, { email, password }),
    openSession: (customer) =>
      database.transaction((tx) => openSession(tx, customer, { now: clock.now(), randomness })),

    async session(email) {
      const customer = await accounts.signIn(email, PASSWORD)
      return (await accounts.openSession(customer!))!
    },

    whoIs: async (session) => (await findCustomerSession(database.reader, session, clock.now()))?.email ?? null,

    async demandGrants(grantPurposes) {
      if (!hasStore) await world.import([storeLine('books')])
      hasStore = true
      await gate(world, { slug: 'books', mode: 'open', grantPurposes })
    },

    everythingKept: () => database.reader.row(everything),
  }
  return accounts
}
