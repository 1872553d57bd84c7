import { accessOperations } from './operations/access.ts'
import { accountOperations } from './operations/accounts.ts'
import { cartOperations } from './operations/carts.ts'
import { catalogOperations } from './operations/catalog.ts'
import { checkoutOperations } from './operations/checkout.ts'
import { hostedLoginOperations } from './operations/hosted-login.ts'
import { installationOperations } from './operations/installations.ts'
import { oauthOperations } from './operations/oauth.ts'
import { orderOperations } from './operations/orders.ts'
import { storefrontOperations } from './operations/storefront.ts'
import { webhookOperations } from './operations/webhooks.ts'

export { CURRENCY_DIGITS } from './currencies.ts'
export { deprecationHeaders } from './deprecation.ts'
export * from './events.ts'
export { limits } from './limits.ts'
export * from './operation.ts'
export * from './refusals.ts'
export { refusalsOf } from './refusals-of.ts'
export * from './schemas/accounts.ts'
export * from './schemas/carts.ts'
export * from './schemas/catalog.ts'
export * from './schemas/checkout.ts'
export {
  Address,
  Contact,
  CURSOR_MAX,
  Image,
  Metadata,
  Money,
  Policy,
  RichText,
  StoreReference,
} from './schemas/common.ts'
export { PublicErrorConflict, PublicErrorDetail, PublicErrorResponse } from './schemas/error.ts'
export * from './schemas/installations.ts'
export * from './schemas/oauth.ts'
export * from './schemas/orders.ts'
export { exampleOf, isBoundOnly } from './schemas/primitives.ts'
export { publishedSchema, type Received } from './schemas/published.ts'
export { PublicKey, RateLimitPolicy, RuntimeConfig } from './schemas/runtime-config.ts'
export * from './schemas/storefront.ts'
export * from './schemas/webhooks.ts'

/** The 59 public operations by operationId. @see docs/reference/interface.md#endpoints */
export const operations = {
  ...storefrontOperations,
  ...accountOperations,
  ...accessOperations,
  ...installationOperations,
  ...catalogOperations,
  ...checkoutOperations,
  ...hostedLoginOperations,
  ...cartOperations,
  ...orderOperations,
  ...webhookOperations,
  ...oauthOperations,
}

export type OperationId = keyof typeof operations
export const operationIds = Object.keys(operations) as readonly OperationId[]
