import { limits } from '@vitrine/contract'
import { sweepChallenges } from '../features/access/index.ts'
import { sweepRegistrations, sweepResets, sweepSessions } from '../features/accounts/index.ts'
import { ENDED_CART_RETENTION_DAYS, sweepEndedCarts } from '../features/carts/index.ts'
import { sweepListings } from '../features/catalog/index.ts'
import { sweepCustomerTokens, sweepLogins } from '../features/hosted-login/index.ts'
import { sweepAccessTokens, sweepGrants, sweepStaffSessions } from '../features/oauth/index.ts'
import { NOTIFICATION_RETENTION_DAYS, sweepPaymentNotifications } from '../features/payments/index.ts'
import { sweepDeliveries, sweepSecrets } from '../features/webhooks/index.ts'
import type { JobHandler } from '../platform/jobs/index.ts'
import { MAIL_RETENTION_DAYS, sweepMails } from '../platform/mail/index.ts'
import { MARKER_RETENTION, type Statement, statement, sweepMarkers } from '../platform/postgres/index.ts'

const DAY_MS = 86_400_000
/** Rows per transaction: each holds its locks for a few milliseconds only. */
const BATCH = 1000
const SWEEP_EVERY_MS = 60_000

interface Retention {
  readonly what: string
  readonly statement: Statement
  /** Older rows are deleted. */
  readonly before: (now: Date) => unknown
}

/** All data with a retention period. */
const retentions: readonly Retention[] = [
  {
    what: 'idempotency keys',
    statement: statement(
      'sweep.idempotency_keys',
      `delete from idempotency_keys where (environment, installation_id, key) in (
         select environment, installation_id, key from idempotency_keys where created_at < $1 order by created_at limit $2)`,
    ),
    before: (now) => new Date(now.getTime() - limits.idempotency.retentionDays * DAY_MS),
  },
  {
    what: 'proofs',
    statement: statement(
      'sweep.dpop_proofs',
      'delete from dpop_proofs where proof in (select proof from dpop_proofs where expires_at < $1 order by expires_at limit $2)',
    ),
    before: (now) => now,
  },
  {
    what: 'rate limits',
    statement: statement(
      'sweep.rate_limits',
      'delete from rate_limits where bucket in (select bucket from rate_limits where tat_us < $1 order by tat_us limit $2)',
    ),
    before: (now) => BigInt(now.getTime()) * 1000n,
  },
  { what: 'commit markers', statement: sweepMarkers, before: () => MARKER_RETENTION },
  {
    // Before their events, whose deletion would cascade to thousands of deliveries.
    what: 'deliveries',
    statement: sweepDeliveries,
    before: (now) => new Date(now.getTime() - limits.webhooks.retentionDays * DAY_MS),
  },
  {
    what: 'events',
    statement: statement(
      'sweep.events',
      'delete from events where id in (select id from events where created_at < $1 order by created_at limit $2)',
    ),
    before: (now) => new Date(now.getTime() - limits.webhooks.retentionDays * DAY_MS),
  },
  { what: 'replaced webhook secrets', statement: sweepSecrets, before: (now) => now },
  {
    // Retained for a day, so that a late request gets a specific error.
    what: 'challenges',
    statement: sweepChallenges,
    before: (now) => new Date(now.getTime() - DAY_MS),
  },
  { what: 'registrations', statement: sweepRegistrations, before: (now) => now },
  // Retained for a day, to distinguish a used link from an unknown one.
  { what: 'password resets', statement: sweepResets, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'sessions', statement: sweepSessions, before: (now) => now },
  // Retained for a day, so that a late or repeated return gets a specific error.
  { what: 'logins', statement: sweepLogins, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'customer tokens', statement: sweepCustomerTokens, before: (now) => now },
  {
    what: 'mails',
    statement: sweepMails,
    before: (now) => new Date(now.getTime() - MAIL_RETENTION_DAYS * DAY_MS),
  },
  {
    // Retained for a day, so that an expired token gets a specific error.
    what: 'access tokens',
    statement: sweepAccessTokens,
    before: (now) => new Date(now.getTime() - DAY_MS),
  },
  { what: 'grants', statement: sweepGrants, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'staff sessions', statement: sweepStaffSessions, before: (now) => now },
  {
    what: 'payment notifications',
    statement: sweepPaymentNotifications,
    before: (now) => new Date(now.getTime() - NOTIFICATION_RETENTION_DAYS * DAY_MS),
  },
  {
    what: 'ended carts',
    statement: sweepEndedCarts,
    before: (now) => new Date(now.getTime() - ENDED_CART_RETENTION_DAYS * DAY_MS),
  },
]

/** Deletes expired data in small batches, every minute. */
export const sweep: JobHandler = async (_job, { database, now, log }) => {
  for (const retention of retentions) {
    let deleted = 0
    for (;;) {
      const count = await database.transaction((tx) => tx.change(retention.statement, [retention.before(now), BATCH]))
      deleted += count
      if (count < BATCH) break
    }
    if (deleted > 0) log.info({ deleted, what: retention.what }, 'swept')
  }
  while (await database.transaction((tx) => sweepListings(tx, now)));
  return new Date(now.getTime() + SWEEP_EVERY_MS)
}
