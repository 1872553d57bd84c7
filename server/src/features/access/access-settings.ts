import { limits } from '@vitrine/contract'
import { OperatorError } from '../../kernel/operator-error.ts'
import { hashPassword } from '../../platform/auth/password-hash.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import type { AccessMode, DemandablePurpose } from './challenge.ts'

const { passwordLengthMin, passwordLengthMax } = limits.accounts

/** Who sells, and behind which door: what kept answers name that show it. */
export const STORES = 'stores'

const PASSWORD = '/password'

/** A sentence for the operator who asked for something that cannot be. */
export class StoreAccessError extends OperatorError {
  override readonly name = 'StoreAccessError'
}

export interface StoreSettings {
  readonly id: string
  readonly slug: string
  readonly status: 'active' | 'suspended'
  readonly access_mode: AccessMode
  readonly has_password: boolean
  readonly grant_purposes: readonly DemandablePurpose[]
}

const COLUMNS = `id, slug, status, access_mode, access_password is not null as has_password, grant_purposes`
const listAll = statement<StoreSettings>('access.list_stores', `select ${COLUMNS} from stores order by slug`)
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

/** All stores, and how each is entered. */
export function listStores(reader: Reader): Promise<StoreSettings[]> {
  return reader.rows(listAll)
}

export interface StoreAccessChange {
  readonly slug: string
  readonly mode: AccessMode
  /** The store's password; the one that it has where absent. */
  readonly password?: string | undefined
  /** What asks for a grant although it belongs to no store; as it is where absent. */
  readonly demands?: readonly DemandablePurpose[] | undefined
}

/**
 * Sets how a store is entered. Every grant that was given for it ends, on all nodes, with the transaction.
 *
 * @throws StoreAccessError where no store has the slug, or the password is missing or has not 8 to 128 characters
 */
export async function setStoreAccess(tx: Transaction, change: StoreAccessChange, now: Date): Promise<StoreSettings> {
  const { slug, mode, password, demands } = change
  if (password !== undefined && (password.length < passwordLengthMin || password.length > passwordLengthMax)) {
    throw new StoreAccessError(`A password has ${passwordLengthMin} to ${passwordLengthMax} characters.`, PASSWORD)
  }
  const hash = password === undefined ? null : await hashPassword(password)
  const store = await tx.row(lockBySlug, [slug])
  if (!store) throw new StoreAccessError(`There is no store "${slug}".`)
  const hasPassword = store.has_password || hash !== null
  if (mode === 'password' && !hasPassword) {
    throw new StoreAccessError(`The store "${slug}" has no password yet: give it one.`, PASSWORD)
  }
  const purposes = [...new Set(demands ?? store.grant_purposes)]
  tx.write(update, [store.id, mode, hash, purposes, now], { rows: 1 })
  bumpRevision(tx, STORES)
  return { ...store, access_mode: mode, has_password: hasPassword, grant_purposes: purposes }
}
