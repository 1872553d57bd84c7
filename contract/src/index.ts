import { cartOperations } from './operations/carts.ts'
import { catalogOperations } from './operations/catalog.ts'
import { installationOperations } from './operations/installations.ts'
import { storefrontOperations } from './operations/storefront.ts'

export * from './operation.ts'
export * from './refusals.ts'
export { refusalsOf } from './refusals-of.ts'
export * from './schemas/carts.ts'
export * from './schemas/catalog.ts'
export { Address, Contact, Image, Money, Policy, RichText, StoreReference } from './schemas/common.ts'
export { PublicErrorConflict, PublicErrorDetail, PublicErrorResponse } from './schemas/error.ts'
export * from './schemas/installations.ts'
export { exampleOf } from './schemas/primitives.ts'
export { PublicKey, RateLimitPolicy, RuntimeConfig } from './schemas/runtime-config.ts'

/** The public operations by operationId. @see CONTRACT, the table */
export const operations = {
  ...storefrontOperations,
  ...catalogOperations,
  ...installationOperations,
  ...cartOperations,
}

export type OperationId = keyof typeof operations
export const operationIds = Object.keys(operations) as readonly OperationId[]
export { limits } from './limits.ts'
