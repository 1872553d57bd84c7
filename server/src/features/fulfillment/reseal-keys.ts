import type { IdSource } from '../../kernel/ids.ts'
import { type JobHandler, wake } from '../../platform/jobs/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { forgetLicenseSecrets } from '../../platform/secrets/server-secrets.ts'
import { type LicenseVault, resealKeys } from './pools.ts'

export const RESEAL_JOB = 'fulfilment.reseal'

/** Longer than other nodes take to use a new secret once it signs. */
const AFTER_MS = 60_000

/** Schedules the job that reseals all license keys, after a new secret has begun to sign. */
export function enqueueReseal(tx: Transaction, signsFrom: Date, ids: IdSource): void {
  wake(tx, { kind: RESEAL_JOB, subject: 'all', runAt: new Date(signsFrom.getTime() + AFTER_MS) }, ids)
}

/** Seals all license keys with the current secret, and then deletes the earlier secrets. */
export function resealLicenseKeys(vault: LicenseVault): JobHandler {
  return async (_job, { database, now }) => {
    for (;;) {
      const hasMore = await database.transaction(async (tx) => {
        const isBatch = await resealKeys(tx, vault)
        if (!isBatch) forgetLicenseSecrets(tx, now)
        return isBatch
      })
      if (!hasMore) return
    }
  }
}
