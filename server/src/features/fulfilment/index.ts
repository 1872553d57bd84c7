/** The door of fulfilment: what is owed to shoppers who have paid, and how it comes into their hands. */
export { beginFulfilment, oweImported } from './begin.ts'
export { correctParcel, markDelivered, markFailed, markLost, type ParcelWish, sendAgain, ship } from './by-hand.ts'
export {
  type Intent,
  type IntentStatus,
  type LineUnits,
  type ParcelStep,
  parcelStepsOf,
  type SentIntent,
} from './fulfilment.ts'
export { fulfilmentJobs } from './fulfilment-jobs.ts'
export { type IntentPosition, intentsOf, type ListedIntent, listIntents, orderOfIntent } from './fulfilment-store.ts'
export { importLicences, type LicenceReport } from './import-licences.ts'
export { importLicenceUpload, type LicenceUpload } from './licence-upload.ts'
export { type LicenceSafe, licenceSafe, listPools, openLicenceSafe, type Pool, type PoolLevel } from './pools.ts'
export { type CarriageDraft, carriageOf, type ShipmentDraft } from './shipment.ts'
export { type StopOutcome, stopFulfilment, stoppableUnits } from './stop.ts'
