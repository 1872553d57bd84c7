import type { JobHandlers } from '../../platform/jobs/index.ts'
import { KEYS_JOB } from './begin.ts'
import { handOverKeys, type KeysHouse } from './hand-over-keys.ts'

/** What hands over keys by mail. */
export function fulfilmentJobs(house: KeysHouse): JobHandlers {
  return { [KEYS_JOB]: handOverKeys(house) }
}
