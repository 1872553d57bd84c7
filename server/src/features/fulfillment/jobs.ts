import type { JobHandlers } from '../../platform/jobs/index.ts'
import { KEYS_JOB } from './begin.ts'
import { handOverKeys, type KeysDeps } from './hand-over-keys.ts'

/** What hands over keys by mail. */
export function fulfilmentJobs(house: KeysDeps): JobHandlers {
  return { [KEYS_JOB]: handOverKeys(house) }
}
