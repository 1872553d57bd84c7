/** The hosted pages and the pages door. */
export { accountPages } from './accounts/routes.ts'
export { checkoutPages } from './checkout/routes.ts'
export { pagesDoor } from './door.ts'
export { loginPages } from './hosted-login/routes.ts'
export { legalPages } from './legal/routes.ts'
export { oauthMetadata } from './oauth/metadata.ts'
export { consentPages } from './oauth/routes.ts'
export { paymentNotifications, paymentPages } from './payments/routes.ts'
