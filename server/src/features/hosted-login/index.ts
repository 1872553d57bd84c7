/** Public interface of hosted login: shoppers sign in on our pages, and the installation receives their customer data. */
export { findCustomerByToken, sweepCustomerTokens } from './customer-token.ts'
export { cancelLogin, returnCustomer } from './finish.ts'
export { type HostedLoginDeps, hostedLoginOperations } from './operations.ts'
export { LOGIN_PATHS } from './paths.ts'
export { findPageLogin, type PageLogin, sweepLogins } from './store.ts'
