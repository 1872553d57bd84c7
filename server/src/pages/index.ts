/** The pages of every feature that has some, and the door that they stand behind. */
export { accountPages } from './accounts/account-pages.ts'
export { checkoutPages } from './checkout/checkout-pages.ts'
export { loginPages } from './hosted-login/login-pages.ts'
export { legalPages } from './legal/legal-pages.ts'
export { consentPages } from './oauth/consent-pages.ts'
export { pagesDoor } from './pages-door.ts'
export { paymentNotifications, paymentPages } from './payments/payment-pages.ts'
