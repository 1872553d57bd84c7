import { limits } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { type Owner, ofGrant } from '../../kernel/owner.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import { type InitiatedLogin, type Login, loginAsOf, type ReturnedLogin } from './login.ts'

interface LoginRow {
  readonly id: string
  readonly return_url: string
  readonly state: string
  readonly code_challenge: string
  readonly status: 'initiated' | 'returned' | 'consumed' | 'failed'
  readonly customer_id: string | null
  readonly code_hash: Buffer | null
  readonly expires_at: Date
}

const COLUMNS = `login.id, login.return_url, login.state, login.code_challenge, login.status, login.customer_id,
  login.code_hash, login.expires_at`

// Counts no further than the quota, using the index hosted_logins_open.
const opening = statement<{ is_registered: boolean; open: bigint; first_end: Date | null }>(
  'hosted_login.opening',
  `select $4 = any(installation.return_urls) as is_registered, open, first_end
   from installations as installation,
     lateral (select count(*) as open, min(expires_at) as first_end from (
       select expires_at from hosted_logins
       where ${ofGrant.where('hosted_logins', 1)} and status = 'initiated' and expires_at > $5
       order by expires_at limit $6) as under_way) as counted
   where installation.id = $1`,
)
const insert = statement(
  'hosted_login.insert',
  `insert into hosted_logins (id, installation_id, environment, grant_id, return_url, state, code_challenge, created_at,
     expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** A page is shown only while the installation is active and the return URL is still registered. */
const ON_PAGES = `select ${COLUMNS}, login.environment, installation.name as installation_name,
  installation.store_id
  from hosted_logins as login join installations as installation on installation.id = login.installation_id
  where login.id = $1 and installation.status = 'active' and login.return_url = any(installation.return_urls)`
type PageRow = LoginRow & {
  readonly environment: Environment
  readonly installation_name: string
  readonly store_id: string | null
}
const findOnPages = statement<PageRow>('hosted_login.on_pages', ON_PAGES)
const lockOnPages = statement<PageRow>('hosted_login.lock_on_pages', `${ON_PAGES} for update of login`)

interface ReturnRow extends LoginRow {
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly locale: string | null
  readonly is_current: boolean | null
}
const lockReturn = statement<ReturnRow>(
  'hosted_login.lock_return',
  `select ${COLUMNS}, email, first_name, last_name, locale,
     customer.status = 'active' and customer.credential_version = login.credential_version as is_current
   from hosted_logins as login left join customers as customer on customer.id = login.customer_id
   where login.id = $1 and ${ofGrant.where('login', 2)}
   for update of login`,
)
const saveReturn = statement(
  'hosted_login.save_return',
  `update hosted_logins set status = 'returned', customer_id = $2, code_hash = $3, returned_at = $4, expires_at = $5,
     credential_version = $6
   where id = $1 and (status = 'initiated' or (status = 'returned' and customer_id = $2))`,
)
const saveEnd = statement(
  'hosted_login.save_end',
  'update hosted_logins set status = $3, ended_at = $4 where id = $1 and status = $2',
)

/** The facts that decide whether an installation can initiate a login. */
export interface InitiationFacts {
  readonly isRegistered: boolean
  readonly isOverQuota: boolean
  /** The earliest expiry among its open logins. */
  readonly earliestExpiry: Date | null
}

export async function loadInitiationFacts(
  reader: Reader,
  owner: Owner,
  { returnUrl, now }: { readonly returnUrl: string; readonly now: Date },
): Promise<InitiationFacts> {
  const max = limits.hostedLogin.openSessionsMax
  // The limit applies to the installation, whichever credential initiates the logins.
  const values = ofGrant.values({ ...owner, narrowedTo: null })
  const row = present(await reader.row(opening, [...values, returnUrl, now, max]), 'the installation of the caller')
  return { isRegistered: row.is_registered, isOverQuota: row.open >= BigInt(max), earliestExpiry: row.first_end }
}

export function insertLogin(tx: Transaction, owner: Owner, login: InitiatedLogin, now: Date): void {
  const { id, returnUrl, state, codeChallenge, expiresAt } = login
  tx.write(insert, [id, ...ofGrant.values(owner), returnUrl, state, codeChallenge, now, expiresAt])
}

/** A login with its installation, for the pages. */
export interface PageLogin {
  readonly login: Login
  /** The pages warn the shopper before a test installation receives their data. */
  readonly environment: Environment
  readonly installationName: string
  /** The store of the installation; `null` if it sells for all stores. */
  readonly storeId: string | null
}

export async function findPageLogin(reader: Reader, id: string, now: Date): Promise<PageLogin | null> {
  return pageLoginOf(await reader.row(findOnPages, [id]), now)
}

export async function lockPageLogin(tx: Transaction, id: string, now: Date): Promise<PageLogin | null> {
  return pageLoginOf(await tx.row(lockOnPages, [id]), now)
}

function pageLoginOf(row: PageRow | undefined, now: Date): PageLogin | null {
  if (!row) return null
  const { environment, installation_name: installationName, store_id: storeId } = row
  return { login: loginAsOf(loginOf(row), now), environment, installationName, storeId }
}

/** The customer as presented to the installation. */
export interface ReturnedCustomer {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly locale: string
}

/** A locked login with its customer. */
interface LockedLogin {
  readonly login: Login
  /** `null` before the shopper returns, and if the account was blocked or its password changed since the sign-in. */
  readonly customer: ReturnedCustomer | null
}

/** Locks a login of an owner. */
export async function lockLoginForReturn(
  tx: Transaction,
  owner: Owner,
  id: string,
  now: Date,
): Promise<LockedLogin | null> {
  const row = await tx.row(lockReturn, [id, ...ofGrant.values(owner)])
  return row ? { login: loginAsOf(loginOf(row), now), customer: customerOf(row) } : null
}

function customerOf(row: ReturnRow): ReturnedCustomer | null {
  const { customer_id: id, email, locale, first_name: firstName, last_name: lastName } = row
  if (id === null || !row.is_current) return null
  return { id, email: present(email, 'a customer'), firstName, lastName, locale: present(locale, 'a customer') }
}

export function saveLoginReturned(
  tx: Transaction,
  { id, customerId, codeHash, expiresAt }: ReturnedLogin,
  { credentialVersion, now }: { readonly credentialVersion: number; readonly now: Date },
): void {
  tx.write(saveReturn, [id, customerId, codeHash, now, expiresAt, credentialVersion], { rows: 1 })
}

export function saveLoginFailed(tx: Transaction, id: string, now: Date): void {
  tx.write(saveEnd, [id, 'initiated', 'failed', now], { rows: 1 })
}

export function saveLoginConsumed(tx: Transaction, id: string, now: Date): void {
  tx.write(saveEnd, [id, 'returned', 'consumed', now], { rows: 1 })
}

function loginOf(row: LoginRow): Login {
  const facts = {
    id: row.id,
    returnUrl: row.return_url,
    state: row.state,
    codeChallenge: row.code_challenge,
    expiresAt: row.expires_at,
  }
  const { status, customer_id: customerId, code_hash: codeHash } = row
  if (status !== 'returned') return { ...facts, status }
  return {
    ...facts,
    status,
    customerId: present(customerId, 'the customer who returned'),
    codeHash: present(codeHash, 'the code of a returned login'),
  }
}

/** Deletes logins that expired before `$1`. */
export const sweepLogins = sweepStatement('hosted_logins', 'expires_at')
