/** What other features and entry points may use of fulfillment. */
export { beginImportedFulfillment, linesWithKeys, prepareFulfillment } from './begin.ts'
export { fulfillmentJobs, isOfKeys, mailKeysAgain } from './deliver-keys.ts'
export {
  type FulfillmentIntent,
  parcelStepsOf,
  type SentIntent,
} from './fulfillment.ts'
export { importLicenses } from './import-licenses.ts'
export { editableLicenseMails, KEYS_MAIL } from './license-mail.ts'
export { importLicenseUpload } from './license-upload.ts'
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
export { type LicenseVault, licenseVault, listPools, openLicenseVault } from './pools.ts'
export { enqueueReseal } from './reseal-keys.ts'
export { carriageOf } from './shipment.ts'
export { stopFulfillment } from './stop.ts'
export {
  countFulfillments,
  intentsOf,
  listIntents,
  orderOfIntent,
} from './store.ts'
