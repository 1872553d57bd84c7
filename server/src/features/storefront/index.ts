/** The door of the storefront: what a site is, beside what it sells. */
export { type ContactChannelInput, readContactChannels, saveContactChannels } from './contact.ts'
export { listVersions, previewDraft, publishDraft, readDecorating, saveDraft, takeUpVersion } from './decorating.ts'
export type { DecorationContent } from './decoration.ts'
export { type AcceptedDocument, type LegalType, type LegalVersion, standingOfVersion } from './legal.ts'
export { LEGAL_PATH } from './legal-path.ts'
export type { ReadMarketplace } from './operations/getBootstrap.ts'
export type { RuntimeFacts } from './operations/getRuntimeConfig.ts'
export {
  type LegalPublication,
  legalJobs,
  listLegalVersions,
  publishLegalDocument,
  readLegalVersion,
} from './publish-legal.ts'
export { acceptedHeads, checkAcceptance, documentsToAccept, findLegalDocument, type LegalHead } from './read-legal.ts'
export {
  readSiteName,
  readSiteSettings,
  type SiteName,
  type SiteSettings,
  type SiteSettingsInput,
  saveSiteSettings,
  siteName,
} from './site-settings.ts'
export { storefrontOperations } from './storefront-operations.ts'
