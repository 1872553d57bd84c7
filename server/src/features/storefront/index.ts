/** The door of the storefront: what a site is, beside what it sells. */
export { getRuntimeConfig, type RuntimeFacts } from './operations/getRuntimeConfig.ts'
