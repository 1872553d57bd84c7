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
import { type Statement, statement } from '../platform/postgres/statement.ts'

const DAY_MS = 86_400_000
/** Rows deleted by one transaction: each holds its locks for a few milliseconds only. */
const BATCH = 1000
const SWEEP_EVERY_MS = 60_000

interface Retention {
  readonly what: string
  readonly statement: Statement
  /** What is older than this is deleted. */
  readonly before: (now: Date) => unknown
}

/** Everything that is kept for a time, and how long. */
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
  {
    // Before their events, which would take thousands with them at once.
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
    // Kept for a day, so that whoever comes late is told why it is too late.
    what: 'challenges',
    statement: sweepChallenges,
    before: (now) => new Date(now.getTime() - DAY_MS),
  },
  { what: 'registrations', statement: sweepRegistrations, before: (now) => now },
  // Kept for a day, so that a link that was used is told from one that never was.
  { what: 'password resets', statement: sweepResets, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'sessions', statement: sweepSessions, before: (now) => now },
  // Kept for a day, so that whoever returns late, or a second time, is told so.
  { what: 'logins', statement: sweepLogins, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'customer tokens', statement: sweepCustomerTokens, before: (now) => now },
  {
    what: 'mails',
    statement: sweepMails,
    before: (now) => new Date(now.getTime() - MAIL_RETENTION_DAYS * DAY_MS),
  },
  {
    // Kept for a day, so that whoever comes late is told that the token has expired.
    what: 'access tokens',
    statement: sweepAccessTokens,
    before: (now) => new Date(now.getTime() - DAY_MS),
  },
  { what: 'grants', statement: sweepGrants, before: (now) => new Date(now.getTime() - DAY_MS) },
  { what: 'sessions of staff', statement: sweepStaffSessions, before: (now) => now },
  {
    what: 'notifications of payment providers',
    statement: sweepPaymentNotifications,
    before: (now) => new Date(now.getTime() - NOTIFICATION_RETENTION_DAYS * DAY_MS),
  },
  {
    what: 'ended carts',
    statement: sweepEndedCarts,
    before: (now) => new Date(now.getTime() - ENDED_CART_RETENTION_DAYS * DAY_MS),
  },
]

/** Deletes what has outlived its retention, in small batches, and comes back a minute later. */
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
