/** The door of fulfilment: what is owed to shoppers who have paid, and how it comes into their hands. */
export { beginFulfillment, oweImported } from './begin.ts'
export {
  INTENT_STATUSES,
  type Intent,
  type IntentStatus,
  type LineUnits,
  type ParcelStep,
  parcelStepsOf,
  type SentIntent,
} from './fulfillment.ts'
export { FulfilmentError } from './fulfillment-error.ts'
export { importLicences, type LicenceReport } from './import-licenses.ts'
export { fulfilmentJobs } from './jobs.ts'
export { importLicenceUpload, type LicenceUpload } from './license-upload.ts'
export {
  correctParcel,
  markDelivered,
  markFailed,
  markLost,
  type ParcelWish,
  sendAgain,
  ship,
} from './operator-actions.ts'
export { type LicenceSafe, licenceSafe, listPools, openLicenceSafe, type Pool, type PoolLevel } from './pools.ts'
export { type CarriageDraft, carriageOf, type ShipmentDraft } from './shipment.ts'
export { type StopOutcome, stopFulfillment, stoppableUnits } from './stop.ts'
export { type IntentPosition, intentsOf, type ListedIntent, listIntents, orderOfIntent } from './store.ts'
