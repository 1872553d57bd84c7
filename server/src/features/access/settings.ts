import { limits } from '@vitrine/contract'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { hashNewPassword } from '../accounts/index.ts'
import type { AccessMode, GrantPurpose } from './challenge.ts'

const { passwordLengthMin, passwordLengthMax } = limits.accounts

/** The subject of cached responses that depend on store settings. */
export const STORES = 'stores'

interface StoreSettings {
  readonly id: string
  readonly slug: string
  readonly status: 'active' | 'suspended'
  readonly access_mode: AccessMode
  readonly has_password: boolean
  readonly grant_purposes: readonly GrantPurpose[]
}

const COLUMNS = `id, slug, status, access_mode, access_password is not null as has_password, grant_purposes`
const lockBySlug = statement<StoreSettings>(
  'access.lock_store',
  `select ${COLUMNS} from stores where slug = $1 for no key update`,
)
const update = statement(
  'access.update_store',
  `update stores set access_mode = $2, access_password = coalesce($3, access_password), grant_purposes = $4,
     access_version = access_version + 1, version = version + 1, updated_at = $5
   where id = $1`,
)

export interface StoreAccessChange {
  readonly slug: string
  readonly mode: AccessMode
  /** Unchanged if absent. */
  readonly password?: string | undefined
  /** Purposes outside the store that require a grant. Unchanged if absent. */
  readonly grantPurposes?: readonly GrantPurpose[] | undefined
}

/** A change with the password hashed. */
interface PreparedStoreAccess extends Omit<StoreAccessChange, 'password'> {
  readonly passwordHash: string | null
}

/**
 * Checks and hashes the password of a change. Takes about 30 ms on another thread: call it before the transaction.
 *
 * Refusals: `validation_failed` if the password does not have 8 to 128 characters; `password_too_weak`.
 */
export async function prepareStoreAccess({ password, ...change }: StoreAccessChange): Promise<PreparedStoreAccess> {
  if (password === undefined) return { ...change, passwordHash: null }
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    refuseField('password', 'out_of_range', `A password has ${passwordLengthMin} to ${passwordLengthMax} characters.`)
  }
  return { ...change, passwordHash: await hashNewPassword(password, null, 'password') }
}

/**
 * Changes the access settings of a store. Ends all of its grants, on every node, at commit.
 *
 * Refusals: `not_found`; `validation_failed` if the password is missing.
 */
export async function setStoreAccess(tx: Transaction, change: PreparedStoreAccess, now: Date): Promise<StoreSettings> {
  const { slug, mode, passwordHash: hash, grantPurposes } = change
  const store = await tx.row(lockBySlug, [slug])
  if (!store) refuse('not_found')
  const hasPassword = store.has_password || hash !== null
  if (mode === 'password' && !hasPassword)
    refuseField('password', 'required', `The store "${slug}" has no password yet.`)
  const purposes = [...new Set(grantPurposes ?? store.grant_purposes)]
  tx.write(update, [store.id, mode, hash, purposes, now], { rows: 1 })
  bumpRevision(tx, STORES)
  return { ...store, access_mode: mode, has_password: hasPassword, grant_purposes: purposes }
}
