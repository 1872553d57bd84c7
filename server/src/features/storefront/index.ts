/** The public interface of the storefront: site settings, legal documents, contact, decorations. */
export { type ContactChannelInput, readContactChannels, saveContactChannels } from './contact.ts'
export {
  listDecorationVersions,
  PLAIN_THEME,
  previewDecorationDraft,
  publishColor,
  publishDecorationDraft,
  readDecorating,
  restoreVersion,
  saveDecorationDraft,
} from './decorating.ts'
export type { DecorationContent } from './decoration.ts'
export {
  type AcceptedDocument,
  LEGAL_PATH,
  type LegalType,
  type LegalVersion,
  legalUrl,
  standingOfVersion,
} from './legal.ts'
export { type AcceptedVersion, acceptedVersionsSql, missingDocuments } from './legal-store.ts'
export {
  type LegalPublication,
  legalJobs,
  listLegalVersions,
  publishLegalDocument,
  readLegalVersion,
} from './publish-legal.ts'
export {
  acceptedHeads,
  checkAcceptance,
  documentsByRevision,
  documentsToAccept,
  findLegalDocument,
  headsOfAccepted,
  type LegalHead,
  type LoadDocumentsToAccept,
} from './read-legal.ts'
export { type LoadSeller, letterheads, type Seller, type SellerContact, sellers } from './seller.ts'
export {
  isTimeZone,
  readSellerRecords,
  readTimeZone,
  type SellerRecord,
  saveSellerRecord,
  sellerOf,
  storesWithoutSeller,
  timeZoneSql,
} from './seller-record.ts'
export {
  DEFAULT_SITE_NAME,
  readHomeCountry,
  readSiteName,
  readSiteSettings,
  type SiteSettings,
  saveSiteSettings,
  siteName,
} from './site-settings.ts'
export { storefrontOperations } from './storefront-operations.ts'
export { SITE } from './subjects.ts'
