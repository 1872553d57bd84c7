/** Public interface of privacy: export, erasure and retention of personal data. */

export { erasePerson, exportPerson, previewErasure, privacyJobs } from './erase.ts'
export { findPerson, type Person, type PersonName } from './person.ts'
export {
  previewRetention,
  type Retention,
  readRetention,
  saveRetention,
  sweepClosedAccounts,
  sweepOldOrders,
} from './retention.ts'
