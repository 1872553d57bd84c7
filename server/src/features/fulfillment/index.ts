/** What other features and entry points may use of fulfillment. */
export { beginImportedFulfillment, linesWithKeys, prepareFulfillment } from './begin.ts'
export { fulfillmentJobs, isOfKeys, type KeysDeps, mailKeysAgain } from './deliver-keys.ts'
export {
  type FulfillmentIntent,
  type FulfillmentStatus,
  type LineUnits,
  type ParcelStep,
  parcelStepsOf,
  type SentIntent,
} from './fulfillment.ts'
export { importLicenses } from './import-licenses.ts'
export { editableLicenseMails, KEYS_MAIL } from './license-mail.ts'
export { importLicenseUpload, type LicenseUpload } from './license-upload.ts'
export {
  assertCanShip,
  correctParcel,
  markDelivered,
  markFailed,
  markLost,
  type ParcelRequest,
  sendAgain,
  ship,
} from './operator-actions.ts'
export { type LicenseVault, licenseVault, listPools, openLicenseVault, type Pool, type PoolLevel } from './pools.ts'
export { enqueueReseal } from './reseal-keys.ts'
export { type CarriageDraft, carriageOf, type ShipmentDraft } from './shipment.ts'
export { type StopOutcome, stopFulfillment } from './stop.ts'
export {
  countFulfillments,
  intentsOf,
  type ListedIntent,
  listIntents,
  orderOfIntent,
} from './store.ts'
