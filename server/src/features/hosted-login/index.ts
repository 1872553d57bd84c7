/** The door of hosted login: letting shoppers log in on our pages, and telling an installation who they are. */
export { findCustomerOfToken, sweepCustomerTokens } from './customer-token.ts'
export { hostedLoginOperations } from './hosted-login-operations.ts'
export { cancelLogin, returnCustomer } from './login-on-pages.ts'
export { LOGIN_PATHS } from './login-paths.ts'
export { findLoginOnPages, type LoginOnPages, sweepLogins } from './login-store.ts'
export type { HostedLoginDeps } from './parts.ts'
