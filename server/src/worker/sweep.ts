import { limits } from '@vitrine/contract'
import { sweepChallenges } from '../features/access/index.ts'
import { sweepEmailChanges, sweepRegistrations, sweepResets, sweepSessions } from '../features/accounts/index.ts'
import { sweepEndedCarts } from '../features/carts/index.ts'
import {
  sweepCatalogChanges,
  sweepImportJournal,
  sweepListings,
  sweepSearchCounts,
  UNDO_RETENTION_DAYS,
} from '../features/catalog/index.ts'
import { sweepCustomerTokens, sweepLogins } from '../features/hosted-login/index.ts'
import { sweepAccessTokens, sweepGrants, sweepStaffSessions } from '../features/oauth/index.ts'
import { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from '../features/payments/index.ts'
import {
  sweepTaxAnswers,
  sweepVatChecks,
  TAX_ANSWER_RETENTION_DAYS,
  VAT_CHECK_RETENTION_DAYS,
} from '../features/pricing/index.ts'
import {
  readRetention,
  type Retention as Settings,
  sweepClosedAccounts,
  sweepOldOrders,
} from '../features/privacy/index.ts'
import { sweepDeliveries, sweepSecrets } from '../features/webhooks/index.ts'
import { sweepAnswers } from '../platform/idempotency/answers.ts'
import type { JobContext, JobHandler } from '../platform/jobs/index.ts'
import { sweepMails } from '../platform/mail/index.ts'
import type { Logger } from '../platform/observe/logger.ts'
import {
  type Database,
  MARKER_RETENTION,
  type Statement,
  SWEEP_BATCH,
  statement,
  sweepMarkers,
  sweepStatement,
  type Transaction,
} from '../platform/postgres/index.ts'
import { sweepServerSecrets } from '../platform/secrets/server-secrets.ts'

const DAY_MS = 86_400_000
const SWEEP_EVERY_MS = 60_000
/** Retentions that run at the same time: if one waits for a lock, the others continue in the other lane. */
const LANES = 2
/** After this time, other jobs get their turn. */
const ROUND_MS = 10_000

interface Retention {
  readonly what: string
  /** Deletes one batch. False if nothing is left to delete. */
  readonly sweepBatch: (tx: Transaction, context: SweepContext) => Promise<boolean>
}

interface SweepContext extends Pick<JobContext, 'now' | 'ids'> {
  /** The periods that operators have set. */
  readonly retention: Settings
}

/** A retention that deletes rows before a time, by default before now. */
const rowsOf = (
  what: string,
  swept: Statement,
  before: (context: SweepContext) => unknown = ({ now }) => now,
): Retention => ({
  what,
  sweepBatch: async (tx, context) => (await tx.change(swept, [before(context)])) === SWEEP_BATCH,
})
const ago = (now: Date, count: number) => new Date(now.getTime() - count * DAY_MS)
const days =
  (count: number) =>
  ({ now }: SweepContext) =>
    ago(now, count)
/** A period that operators have set. */
const chosen =
  (days: 'endedCartDays' | 'mailDays' | 'searchDays') =>
  ({ now, retention }: SweepContext) =>
    ago(now, retention[days])

const sweepIdempotencyKeys = sweepStatement('idempotency_keys', 'created_at')
const sweepSubmissions = sweepStatement('form_submissions', 'created_at')
const sweepProofs = sweepStatement('dpop_proofs', 'expires_at')
const sweepEvents = sweepStatement('events', 'created_at')
// Without an order, because it has no index: each request changes the column, and an index would cost more than this saves.
const sweepRateLimits = statement(
  'sweep.rate_limits',
  `delete from rate_limits where tat_us < $1 and ctid = any (array (
     select ctid from rate_limits where tat_us < $1 limit ${SWEEP_BATCH}))`,
)

/** All data with a retention period. The audit log is kept. */
const retentions: readonly Retention[] = [
  rowsOf('idempotency keys', sweepIdempotencyKeys, days(limits.idempotency.retentionDays)),
  { what: 'answers', sweepBatch: (tx, { now }) => sweepAnswers(tx, now) },
  rowsOf('proofs', sweepProofs),
  rowsOf('submitted forms', sweepSubmissions, ({ now }) => new Date(now.getTime() - SWEEP_EVERY_MS)),
  rowsOf('rate limits', sweepRateLimits, ({ now }) => BigInt(now.getTime()) * 1000n),
  rowsOf('commit markers', sweepMarkers, () => MARKER_RETENTION),
  { what: 'changes of the catalog', sweepBatch: (tx, { now }) => sweepCatalogChanges(tx, now) },
  // Before their events, whose deletion would cascade to thousands of deliveries.
  rowsOf('deliveries', sweepDeliveries, days(limits.webhooks.retentionDays)),
  rowsOf('events', sweepEvents, days(limits.webhooks.retentionDays)),
  rowsOf('replaced webhook secrets', sweepSecrets),
  { what: 'replaced secrets of the server', sweepBatch: (tx, { now }) => sweepServerSecrets(tx, now) },
  // Retained for a day, so that a late request gets a specific error.
  rowsOf('challenges', sweepChallenges, days(1)),
  rowsOf('registrations', sweepRegistrations),
  rowsOf('changes of email addresses', sweepEmailChanges),
  // Retained for a day, to distinguish a used link from an unknown one.
  rowsOf('password resets', sweepResets, days(1)),
  rowsOf('sessions', sweepSessions),
  // Retained for a day, so that a late or repeated return gets a specific error.
  rowsOf('logins', sweepLogins, days(1)),
  rowsOf('customer tokens', sweepCustomerTokens),
  rowsOf('mails', sweepMails, chosen('mailDays')),
  // Retained for a day, so that an expired token gets a specific error.
  rowsOf('access tokens', sweepAccessTokens, days(1)),
  rowsOf('grants', sweepGrants, days(1)),
  rowsOf('staff sessions', sweepStaffSessions),
  rowsOf('payment notifications', sweepPaymentNotifications, days(NOTIFICATION_RETENTION_DAYS)),
  rowsOf('ended carts', sweepEndedCarts, chosen('endedCartDays')),
  rowsOf('answers about VAT numbers', sweepVatChecks, days(VAT_CHECK_RETENTION_DAYS)),
  rowsOf('answers of tax providers', sweepTaxAnswers, days(TAX_ANSWER_RETENTION_DAYS)),
  rowsOf('journals of imports', sweepImportJournal, days(UNDO_RETENTION_DAYS)),
  rowsOf('search counts', sweepSearchCounts, chosen('searchDays')),
  { what: 'orders past their legal retention', sweepBatch: sweepOldOrders },
  { what: 'closed accounts', sweepBatch: sweepClosedAccounts },
  { what: 'superseded listings', sweepBatch: (tx, { now }) => sweepListings(tx, now) },
]

/**
 * Deletes expired data in small batches, every minute. Retentions take turns, so that one with much to delete delays no other;
 * one that fails is logged and skipped until the next minute. If a round does not finish, the next one follows at once.
 */
export const sweep: JobHandler = async (_job, { database, now, ids, log }) => {
  const retention = await readRetention(database.reader)
  const waiting = [...retentions]
  const endsAt = performance.now() + ROUND_MS
  const runLane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (await sweepOne(next, { database, now, ids, retention, log })) waiting.push(next)
      if (performance.now() > endsAt) return
    }
  }
  await Promise.all(Array.from({ length: LANES }, runLane))
  return waiting.length > 0 ? now : new Date(now.getTime() + SWEEP_EVERY_MS)
}

async function sweepOne(
  { what, sweepBatch }: Retention,
  { database, log, ...context }: SweepContext & { readonly database: Database; readonly log: Logger },
): Promise<boolean> {
  try {
    return await database.transaction((tx) => sweepBatch(tx, context))
  } catch (error) {
    log.error({ err: error, what }, 'could not sweep')
    return false
  }
}
