import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import type { AccessPurpose, Challenge, ChallengeKind, GrantPurpose } from './challenge.ts'
import type { Work } from './proof-of-work.ts'
import type { StoreAccessState } from './store-grants.ts'

/** The access settings of a store. */
export interface StoreAccess extends StoreAccessState {
  readonly slug: string
  /** argon2id, or `null` if none is set. */
  readonly access_password: string | null
  readonly grant_purposes: readonly GrantPurpose[]
}

const COLUMNS = 'id, slug, access_mode, access_version, access_password, grant_purposes'

const readBySlug = statement<StoreAccess>(
  'access.read_store',
  `select ${COLUMNS} from stores where slug = $1 and status = 'active'`,
)
const readById = statement<StoreAccess>(
  'access.read_store_by_id',
  `select ${COLUMNS} from stores where id = $1 and status = 'active'`,
)
const readDemanded = statement<{ demanded: boolean }>(
  'access.read_demanded',
  `select exists (select from stores where status = 'active' and $1 = any (grant_purposes)) as demanded`,
)

/** The access settings of an active store. Refusal: `not_found`. */
export async function loadStoreAccess(reader: Reader, slug: string): Promise<StoreAccess> {
  return (await reader.row(readBySlug, [slug])) ?? refuse('not_found')
}

export function findStoreAccess(reader: Reader, storeId: string): Promise<StoreAccess | undefined> {
  return reader.row(readById, [storeId])
}

/** Whether any active store requires a grant for the purpose. */
export async function isGrantRequired(reader: Reader, purpose: AccessPurpose): Promise<boolean> {
  return (await reader.row(readDemanded, [purpose]))?.demanded ?? false
}

const insertChallenge = statement(
  'access.insert_challenge',
  `insert into access_challenges (id, store_id, kind, purpose, work, issued_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

interface NewChallenge {
  readonly id: string
  readonly storeId: string
  readonly kind: ChallengeKind
  readonly purpose: AccessPurpose
  readonly work: Work | null
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export function saveChallenge(tx: Transaction, challenge: NewChallenge): void {
  const { id, storeId, kind, purpose, work, issuedAt, expiresAt } = challenge
  tx.write(insertChallenge, [id, storeId, kind, purpose, work && JSON.stringify(work), issuedAt, expiresAt])
}

interface ChallengeRow {
  id: string
  kind: ChallengeKind
  purpose: AccessPurpose
  work: Work | null
  attempts: number
  expires_at: Date
  consumed_at: Date | null
}

const lockRow = statement<ChallengeRow>(
  'access.lock_challenge',
  `select id, kind, purpose, work, attempts, expires_at, consumed_at
   from access_challenges where id = $1 and store_id = $2 for no key update`,
)

/** Locks a challenge of a store, so that attempts are counted one at a time. Refusal: `not_found`. */
export async function lockChallenge(
  tx: Transaction,
  storeId: string,
  challengeId: string,
): Promise<Challenge & { readonly work: Work | null }> {
  const row = (await tx.row(lockRow, [challengeId, storeId])) ?? refuse('not_found')
  const { id, kind, purpose, work, attempts, expires_at, consumed_at } = row
  return { id, kind, purpose, work, attempts, expiresAt: expires_at, consumedAt: consumed_at }
}

const updateAttempts = statement('access.count_try', 'update access_challenges set attempts = $2 where id = $1')
const consume = statement(
  'access.consume',
  'update access_challenges set consumed_at = $2 where id = $1 and consumed_at is null',
)

export function saveAttempts(tx: Transaction, { id, attempts }: Challenge): void {
  tx.write(updateAttempts, [id, attempts], { rows: 1 })
}

/** Marks a challenge as consumed. The transaction fails if it already is. */
export function saveChallengeConsumed(tx: Transaction, { id }: Challenge, now: Date): void {
  tx.write(consume, [id, now], { rows: 1 })
}

/** Deletes challenges that expired before `$1`. */
export const sweepChallenges = sweepStatement('access_challenges', 'expires_at')
