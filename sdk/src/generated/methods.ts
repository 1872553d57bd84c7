// Written by `npm run generate` from the contract. Do not edit.

import type { CallOptions } from '../client.ts'
import type {
  Category,
  ProductSummary,
  Product,
  StoreProfile,
  ProductListMeta,
  SearchMeta,
  ApiKeyProductListMeta,
  CategoryListMeta,
  ApiKeyCategoryListMeta,
  Bootstrap,
  LegalDocument,
  ContactChannel,
  Decoration,
  RegisterCustomerRequest,
  RequestPasswordResetRequest,
  ConfirmPasswordResetRequest,
  AcceptedStatus,
  PasswordResetStatus,
  StoreAccessConfig,
  CreateChallengeRequest,
  Challenge,
  VerifyChallengeRequest,
  StoreAccessGrant,
  InitiateHostedLoginRequest,
  HostedLogin,
  ConsumeHostedLoginReturnRequest,
  HostedLoginResult,
  CreatePublicCartRequest,
  PublicCartItemMutationRequest,
  PublicCartQuantityUpdateRequest,
  PublicCartTransitionRequest,
  SetPublicCartAddressRequest,
  ApplyPublicCartPromotionRequest,
  QuotePublicCartRequest,
  Cart,
  CartPromotionState,
  CheckoutQuote,
  CheckoutReadiness,
  CheckoutPublicCartRequest,
  CreateHostedCheckoutSessionRequest,
  HostedCheckoutCancelRequest,
  HostedCheckoutSession,
  ApiKeyIdentity,
  InstallationIdentity,
  Readiness,
  AuthorizationDescription,
  OAuthTokenRequest,
  OAuthTokenGrant,
  OAuthRevocationRequest,
  OAuthRevocation,
  OrderSummary,
  OrderList,
  Cancellation,
  AfterSales,
  Order,
  OrderEligibility,
  StorefrontOrderTransitionRequest,
  StorefrontAfterSalesRequest,
  CreateInstallationWebhookRequest,
  UpdateInstallationWebhookRequest,
  PublicWebhookReplayRequest,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEndpointList,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookSignatureFixture,
  WebhookEventKindList,
  RuntimeConfig,
} from './resources.ts'

/** The input of `getBootstrap`. */
export interface GetBootstrapInput {
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `listLegalDocuments`. */
export interface ListLegalDocumentsInput {
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `listContactChannels`. */
export interface ListContactChannelsInput {
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `getRuntimeConfig`. */
export type GetRuntimeConfigInput = Record<string, never>

/** The input of `getStoreDecoration`. */
export interface GetStoreDecorationInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `confirmOfficialPasswordReset`. */
export interface ConfirmOfficialPasswordResetInput {
  body: ConfirmPasswordResetRequest
}

/** The input of `requestOfficialPasswordReset`. */
export interface RequestOfficialPasswordResetInput {
  body: RequestPasswordResetRequest
}

/** The input of `registerOfficialStorefrontCustomer`. */
export interface RegisterOfficialStorefrontCustomerInput {
  body: RegisterCustomerRequest
}

/** The input of `getStoreAccessConfig`. */
export interface GetStoreAccessConfigInput {
  params: {
    /** Lowercase words joined by hyphens. */
    store: string
  }
}

/** The input of `verifyStorefrontChallenge`. */
export interface VerifyStorefrontChallengeInput {
  params: {
    /** Lowercase words joined by hyphens. */
    store: string
  }
  body: VerifyChallengeRequest
}

/** The input of `createStorefrontChallenge`. */
export interface CreateStorefrontChallengeInput {
  params: {
    /** Lowercase words joined by hyphens. */
    store: string
  }
  body: CreateChallengeRequest
}

/** The input of `getInstallationIdentity`. */
export type GetInstallationIdentityInput = Record<string, never>

/** The input of `getInstallationReadiness`. */
export type GetInstallationReadinessInput = Record<string, never>

/** The input of `getApiKeyIdentity`. */
export type GetApiKeyIdentityInput = Record<string, never>

/** The input of `listCatalogCategories`. */
export interface ListCatalogCategoriesInput {
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `getStoreProduct`. */
export interface GetStoreProductInput {
  params: {
    /** Lowercase words joined by hyphens. */
    merchantSlug: string
    /** Lowercase words joined by hyphens. */
    productSlug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
  }
}

/** The input of `listStoreCategories`. */
export interface ListStoreCategoriesInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `listStoreProducts`. */
export interface ListStoreProductsInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** The search query. */
    q?: string
    /** The page size. Default 24. */
    limit?: number
    /** The position of the next page. Opaque. */
    cursor?: string
    /** The sort order. Default `relevance` with `q`, otherwise `newest`. */
    sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc'
    /** Any of these categories, including their descendants. Repeatable. */
    category?: readonly string[]
    /** Any of these brands. Repeatable. */
    brand?: readonly string[]
    /** These products, such as those of a decoration. Repeatable. */
    product?: readonly string[]
    /** The minimum price, in minor units of the currency. */
    priceMin?: number
    /** The maximum price, in minor units of the currency. */
    priceMax?: number
    /** Whether to leave out products that cannot be bought now. Default `any`. */
    availability?: 'in_stock' | 'any'
    /** The facets to count. Repeatable. Default: all on the first page, none on later pages; `none`: none. */
    facets?: readonly string[]
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
    /** Any of these values. Repeatable. */
    [option: `option.${string}`]: readonly string[]
  }
}

/** The input of `getStore`. */
export interface GetStoreInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
  }
}

/** The input of `getCatalogProduct`. */
export interface GetCatalogProductInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
  }
}

/** The input of `listCatalogProducts`. */
export interface ListCatalogProductsInput {
  query?: {
    /** The search query. */
    q?: string
    /** A store: its id or its slug. */
    store?: string
    /** The page size. Default 24. */
    limit?: number
    /** The position of the next page. Opaque. */
    cursor?: string
    /** The sort order. Default `relevance` with `q`, otherwise `newest`. */
    sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc'
    /** Any of these categories, including their descendants. Repeatable. */
    category?: readonly string[]
    /** Any of these brands. Repeatable. */
    brand?: readonly string[]
    /** These products, such as those of a decoration. Repeatable. */
    product?: readonly string[]
    /** The minimum price, in minor units of the currency. */
    priceMin?: number
    /** The maximum price, in minor units of the currency. */
    priceMax?: number
    /** Whether to leave out products that cannot be bought now. Default `any`. */
    availability?: 'in_stock' | 'any'
    /** The facets to count. Repeatable. Default: all on the first page, none on later pages; `none`: none. */
    facets?: readonly string[]
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
    /** Any of these values. Repeatable. */
    [option: `option.${string}`]: readonly string[]
  }
}

/** The input of `searchCatalogProducts`. */
export interface SearchCatalogProductsInput {
  query: {
    /** The search query. */
    q: string
    /** A store: its id or its slug. */
    store?: string
    /** The page size. Default 24. `0`: suggestions and facets only; with `facets=none` nothing is searched or counted. */
    limit?: number
    /** The position of the next page. Opaque. */
    cursor?: string
    /** The sort order. Default `relevance` with `q`, otherwise `newest`. */
    sort?: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc'
    /** Any of these categories, including their descendants. Repeatable. */
    category?: readonly string[]
    /** Any of these brands. Repeatable. */
    brand?: readonly string[]
    /** These products, such as those of a decoration. Repeatable. */
    product?: readonly string[]
    /** The minimum price, in minor units of the currency. */
    priceMin?: number
    /** The maximum price, in minor units of the currency. */
    priceMax?: number
    /** Whether to leave out products that cannot be bought now. Default `any`. */
    availability?: 'in_stock' | 'any'
    /** The facets to count. Repeatable. Default: all on the first page, none on later pages; `none`: none. */
    facets?: readonly string[]
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
    /** Default `understood`: a price in the query is a filter, and misspelled words are corrected. `literal`: neither. */
    match?: 'understood' | 'literal'
    /** Any of these values. Repeatable. */
    [option: `option.${string}`]: readonly string[]
  }
}

/** The input of `listApiKeyCatalogProducts`. */
export interface ListApiKeyCatalogProductsInput {
  query?: {
    /** The position of the next page. Opaque. */
    cursor?: string
  }
}

/** The input of `getApiKeyCatalogProduct`. */
export interface GetApiKeyCatalogProductInput {
  params: {
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  query?: {
    /** A BCP 47 locale. */
    locale?: string
    /** An ISO 4217 currency. */
    currency?: string
    /** An ISO 3166-1 alpha-2 country. */
    country?: string
  }
}

/** The input of `listApiKeyCatalogCategories`. */
export interface ListApiKeyCatalogCategoriesInput {
  query?: {
    /** The position of the next page. Opaque. */
    cursor?: string
  }
}

/** The input of `createHostedCheckoutSession`. */
export interface CreateHostedCheckoutSessionInput {
  body: CreateHostedCheckoutSessionRequest
}

/** The input of `getHostedCheckoutSession`. */
export interface GetHostedCheckoutSessionInput {
  params: {
    /** The id of the session. */
    sessionId: string
  }
}

/** The input of `cancelHostedCheckoutSession`. */
export interface CancelHostedCheckoutSessionInput {
  params: {
    /** The id of the session. */
    sessionId: string
  }
  body?: HostedCheckoutCancelRequest
}

/** The input of `initiateHostedLogin`. */
export interface InitiateHostedLoginInput {
  body: InitiateHostedLoginRequest
}

/** The input of `consumeHostedLoginReturn`. */
export interface ConsumeHostedLoginReturnInput {
  body: ConsumeHostedLoginReturnRequest
}

/** The input of `createPublicCart`. */
export interface CreatePublicCartInput {
  body: CreatePublicCartRequest
}

/** The input of `getPublicCart`. */
export interface GetPublicCartInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
}

/** The input of `addPublicCartItem`. */
export interface AddPublicCartItemInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body: PublicCartItemMutationRequest
}

/** The input of `updatePublicCartItemQuantity`. */
export interface UpdatePublicCartItemQuantityInput {
  params: {
    /** The id of the cart. */
    cartId: string
    /** The id of the SKU. */
    skuId: string
  }
  body: PublicCartQuantityUpdateRequest
}

/** The input of `removePublicCartItem`. */
export interface RemovePublicCartItemInput {
  params: {
    /** The id of the cart. */
    cartId: string
    /** The id of the SKU. */
    skuId: string
  }
}

/** The input of `setPublicCartAddress`. */
export interface SetPublicCartAddressInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body?: SetPublicCartAddressRequest
}

/** The input of `clearPublicCart`. */
export interface ClearPublicCartInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body?: PublicCartTransitionRequest
}

/** The input of `revokePublicCart`. */
export interface RevokePublicCartInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body?: PublicCartTransitionRequest
}

/** The input of `applyPublicCartPromotion`. */
export interface ApplyPublicCartPromotionInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body: ApplyPublicCartPromotionRequest
}

/** The input of `removePublicCartPromotion`. */
export interface RemovePublicCartPromotionInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body?: PublicCartTransitionRequest
}

/** The input of `quotePublicCart`. */
export interface QuotePublicCartInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body?: QuotePublicCartRequest
}

/** The input of `quotePublicCartCheckout`. */
export interface QuotePublicCartCheckoutInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
}

/** The input of `checkoutPublicCart`. */
export interface CheckoutPublicCartInput {
  params: {
    /** The id of the cart. */
    cartId: string
  }
  body: CheckoutPublicCartRequest
}

/** The input of `listStorefrontOrders`. */
export interface ListStorefrontOrdersInput {
  query?: {
    /** The position of the next page. Opaque. */
    cursor?: string
  }
}

/** The input of `getStorefrontOrder`. */
export interface GetStorefrontOrderInput {
  params: {
    /** The id of the order. */
    orderId: string
  }
}

/** The input of `getStorefrontOrderCancellationEligibility`. */
export interface GetStorefrontOrderCancellationEligibilityInput {
  params: {
    /** The id of the order. */
    orderId: string
  }
}

/** The input of `cancelStorefrontOrder`. */
export interface CancelStorefrontOrderInput {
  params: {
    /** The id of the order. */
    orderId: string
  }
  body: StorefrontOrderTransitionRequest
}

/** The input of `getStorefrontOrderAfterSalesEligibility`. */
export interface GetStorefrontOrderAfterSalesEligibilityInput {
  params: {
    /** The id of the order. */
    orderId: string
  }
}

/** The input of `requestStorefrontOrderAfterSales`. */
export interface RequestStorefrontOrderAfterSalesInput {
  params: {
    /** The id of the order. */
    orderId: string
  }
  body: StorefrontAfterSalesRequest
}

/** The input of `listInstallationWebhooks`. */
export interface ListInstallationWebhooksInput {
  query?: {
    /** The position of the next page. Opaque. */
    cursor?: string
  }
}

/** The input of `createInstallationWebhook`. */
export interface CreateInstallationWebhookInput {
  body: CreateInstallationWebhookRequest
}

/** The input of `updateInstallationWebhook`. */
export interface UpdateInstallationWebhookInput {
  params: {
    /** The id of the endpoint. */
    id: string
  }
  body?: UpdateInstallationWebhookRequest
}

/** The input of `getInstallationWebhookSignatureFixture`. */
export interface GetInstallationWebhookSignatureFixtureInput {
  params: {
    /** The id of the endpoint. */
    id: string
  }
}

/** The input of `listInstallationWebhookDeliveries`. */
export interface ListInstallationWebhookDeliveriesInput {
  query?: {
    /** The id of the endpoint. */
    endpointId?: string
    /** The status. */
    status?: 'pending' | 'delivering' | 'retrying' | 'succeeded' | 'dead' | 'canceled'
    /** The event kind. */
    eventType?: 'checkout.session.created' | 'checkout.session.completed' | 'checkout.session.canceled' | 'checkout.session.expired' | 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled' | 'order.cancellation.requested' | 'order.cancellation.decided' | 'after_sales.requested' | 'after_sales.updated' | 'cart.revoked' | 'catalog.product.updated' | 'catalog.product.deleted' | 'webhook.endpoint.disabled' | 'webhook.test'
    /** The position of the next page. Opaque. */
    cursor?: string
  }
}

/** The input of `replayInstallationWebhookDelivery`. */
export interface ReplayInstallationWebhookDeliveryInput {
  params: {
    /** The id of the delivery. */
    id: string
  }
  body?: PublicWebhookReplayRequest
}

/** The input of `listInstallationWebhookEvents`. */
export type ListInstallationWebhookEventsInput = Record<string, never>

/** The input of `describeOAuthAuthorization`. */
export interface DescribeOAuthAuthorizationInput {
  query?: {
    /** Only `code`. */
    response_type?: string
    /** The id of the client. */
    client_id?: string
    /** Must match exactly. */
    redirect_uri?: string
    /** Scopes, separated by spaces. */
    scope?: string
    /** Returned unchanged. */
    state?: string
    /** The PKCE challenge. */
    code_challenge?: string
    /** Only `S256`. */
    code_challenge_method?: string
    /** The thumbprint of the DPoP key. */
    dpop_jkt?: string
    /** The resource, RFC 8707. */
    resource?: string
    /** The initial page. */
    prompt?: string
  }
}

/** The input of `exchangeOAuthToken`. */
export interface ExchangeOAuthTokenInput {
  body: OAuthTokenRequest
}

/** The input of `revokeOAuthToken`. */
export interface RevokeOAuthTokenInput {
  body: OAuthRevocationRequest
}

/** Every operation as a method. */
export interface OperationMethods {
  /**
   * Get the site bootstrap configuration.
   *
   * Languages, currencies, countries, the category tree, and links to the legal documents and contact channels.
   *
   * `GET /api/v1/bootstrap`
   *
   * @example
   * ```ts
   * const answer = await shop.getBootstrap()
   * ```
   * @throws VitrineError `unsupported_locale`
   */
  getBootstrap(input?: GetBootstrapInput, options?: CallOptions): Promise<Bootstrap>

  /**
   * List the legal documents in force.
   *
   * The published version of each document in the best matching language, with the language that was served.
   *
   * `GET /api/v1/legal/documents`
   *
   * @example
   * ```ts
   * const answer = await shop.listLegalDocuments()
   * ```
   */
  listLegalDocuments(input?: ListLegalDocumentsInput, options?: CallOptions): Promise<LegalDocument[]>

  /**
   * List the contact channels.
   *
   * In the order in which to offer them.
   *
   * `GET /api/v1/public/contact`
   *
   * @example
   * ```ts
   * const answer = await shop.listContactChannels()
   * ```
   */
  listContactChannels(input?: ListContactChannelsInput, options?: CallOptions): Promise<ContactChannel[]>

  /**
   * Get the runtime configuration.
   *
   * Every number a client would otherwise guess: limits, windows, quotas, retention, the public keys of quotes, and the capabilities with their blockers.
   *
   * `GET /api/v1/runtime-config`
   *
   * @example
   * ```ts
   * const answer = await shop.getRuntimeConfig()
   * ```
   */
  getRuntimeConfig(input?: GetRuntimeConfigInput, options?: CallOptions): Promise<RuntimeConfig>

  /**
   * Get the published decoration of a store.
   *
   * Ordered blocks of known types. Drafts are never included.
   *
   * `GET /api/v1/storefront-decorations/merchants/{slug}`
   *
   * @example
   * ```ts
   * const answer = await shop.getStoreDecoration({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getStoreDecoration(input: GetStoreDecorationInput, options?: CallOptions): Promise<Decoration>

  /**
   * Reset a password with the token from the email.
   *
   * The token works once. All sessions of the customer end.
   *
   * `POST /api/v1/auth/password/reset/confirm`
   *
   * @example
   * ```ts
   * const answer = await shop.confirmOfficialPasswordReset({ body: { token: 'mF_9B5f-41JqMmF_9B5f-41JqM', newPassword: 'correct horse battery staple' } })
   * ```
   * @throws VitrineError `reset_token_invalid`, `password_too_weak`
   */
  confirmOfficialPasswordReset(input: ConfirmOfficialPasswordResetInput, options?: CallOptions): Promise<PasswordResetStatus>

  /**
   * Request a password reset email.
   *
   * The answer is the same, in body and time, for known and unknown addresses.
   *
   * `POST /api/v1/auth/password/reset/request`
   *
   * @example
   * ```ts
   * const answer = await shop.requestOfficialPasswordReset({ body: { email: 'ada@example.com' } })
   * ```
   * @throws VitrineError `store_access_required`
   */
  requestOfficialPasswordReset(input: RequestOfficialPasswordResetInput, options?: CallOptions): Promise<AcceptedStatus>

  /**
   * Register a customer.
   *
   * The answer is the same, in body and time, for known and unknown addresses. The owner of the address is informed by email.
   *
   * `POST /api/v1/auth/register`
   *
   * @example
   * ```ts
   * const answer = await shop.registerOfficialStorefrontCustomer({ body: { email: 'ada@example.com', password: 'correct horse battery staple', acceptedDocuments: [{ type: 'terms_of_use', version: '2026-03-01' }] } })
   * ```
   * @throws VitrineError `store_access_required`, `unsupported_locale`, `password_too_weak`
   */
  registerOfficialStorefrontCustomer(input: RegisterOfficialStorefrontCustomerInput, options?: CallOptions): Promise<AcceptedStatus>

  /**
   * Get the access configuration of a store.
   *
   * Returns the mode, the accepted kinds of challenge, and their limits.
   *
   * `GET /api/v1/public/store-access/{store}/config`
   *
   * @example
   * ```ts
   * const answer = await shop.getStoreAccessConfig({ params: { store: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getStoreAccessConfig(input: GetStoreAccessConfigInput, options?: CallOptions): Promise<StoreAccessConfig>

  /**
   * Solve a challenge and get an access token.
   *
   * A challenge can be solved once, in at most five attempts. The token is bound to the store and the purpose.
   *
   * `POST /api/v1/public/store-access/{store}/challenges/verify`
   *
   * @example
   * ```ts
   * const answer = await shop.verifyStorefrontChallenge({ params: { store: 'linen-shirt' }, body: { challengeId: 'chl_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `challenge_used`, `challenge_expired`, `challenge_attempts_exceeded`, `challenge_failed`
   */
  verifyStorefrontChallenge(input: VerifyStorefrontChallengeInput, options?: CallOptions): Promise<StoreAccessGrant>

  /**
   * Create a challenge.
   *
   * A password prompt or a proof of work, depending on the store.
   *
   * `POST /api/v1/public/store-access/{store}/challenges`
   *
   * @example
   * ```ts
   * const answer = await shop.createStorefrontChallenge({ params: { store: 'linen-shirt' }, body: { purpose: 'store_access' } })
   * ```
   * @throws VitrineError `not_found`
   */
  createStorefrontChallenge(input: CreateStorefrontChallengeInput, options?: CallOptions): Promise<Challenge>

  /**
   * Get the installation of the credential.
   *
   * The installation of the credential, with the type, binding and scopes of the credential.
   *
   * `GET /api/v1/open/installation/identity`
   *
   * @example
   * ```ts
   * const answer = await shop.getInstallationIdentity()
   * ```
   */
  getInstallationIdentity(input?: GetInstallationIdentityInput, options?: CallOptions): Promise<InstallationIdentity>

  /**
   * Get the readiness of the installation.
   *
   * Each capability with a machine-readable blocker and a remedy.
   *
   * `GET /api/v1/open/installation/readiness`
   *
   * @example
   * ```ts
   * const answer = await shop.getInstallationReadiness()
   * ```
   */
  getInstallationReadiness(input?: GetInstallationReadinessInput, options?: CallOptions): Promise<Readiness>

  /**
   * Get the identity of the API key.
   *
   * The key, mostly masked, with its installation, environment, scopes and binding.
   *
   * `GET /api/v1/open/identity`
   *
   * @example
   * ```ts
   * const answer = await shop.getApiKeyIdentity()
   * ```
   */
  getApiKeyIdentity(input?: GetApiKeyIdentityInput, options?: CallOptions): Promise<ApiKeyIdentity>

  /**
   * List the categories of the marketplace.
   *
   * The whole tree: each category names its parent and counts the products in and below it.
   *
   * `GET /api/v1/catalog/categories`
   *
   * @example
   * ```ts
   * const answer = await shop.listCatalogCategories()
   * ```
   * @throws VitrineError `unsupported_locale`
   */
  listCatalogCategories(input?: ListCatalogCategoriesInput, options?: CallOptions): Promise<{ data: Category[]; meta: CategoryListMeta }>

  /**
   * Get a product of a store.
   *
   * The product with its options, SKUs, prices and stock. A gated store requires an access token.
   *
   * `GET /api/v1/catalog/merchants/{merchantSlug}/products/{productSlug}`
   *
   * @example
   * ```ts
   * const answer = await shop.getStoreProduct({ params: { merchantSlug: 'linen-shirt', productSlug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`, `store_access_required`, `unsupported_locale`, `unsupported_currency`
   */
  getStoreProduct(input: GetStoreProductInput, options?: CallOptions): Promise<Product>

  /**
   * List the categories of a store.
   *
   * The categories the store has products in, with their ancestors. Counts are for this store only.
   *
   * `GET /api/v1/catalog/merchants/{slug}/categories`
   *
   * @example
   * ```ts
   * const answer = await shop.listStoreCategories({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`, `store_access_required`, `unsupported_locale`
   */
  listStoreCategories(input: ListStoreCategoriesInput, options?: CallOptions): Promise<{ data: Category[]; meta: CategoryListMeta }>

  /**
   * List the products of a store.
   *
   * A page of products with filters, facets and an opaque cursor. Walking all pages returns each product once.
   *
   * `GET /api/v1/catalog/merchants/{slug}/products`
   *
   * @example
   * ```ts
   * const answer = await shop.listStoreProducts({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`, `store_access_required`, `unsupported_locale`, `unsupported_currency`, `invalid_cursor`
   */
  listStoreProducts(input: ListStoreProductsInput, options?: CallOptions): Promise<{ data: ProductSummary[]; meta: ProductListMeta }>

  /**
   * Get the profile of a store.
   *
   * The store, its countries, currencies, languages and policies. Available whether or not the store is open.
   *
   * `GET /api/v1/catalog/merchants/{slug}`
   *
   * @example
   * ```ts
   * const answer = await shop.getStore({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `not_found`, `unsupported_locale`
   */
  getStore(input: GetStoreInput, options?: CallOptions): Promise<StoreProfile>

  /**
   * Get a product.
   *
   * The product with its options, SKUs, prices and stock, from any open store. Products of gated stores are not found here.
   *
   * `GET /api/v1/catalog/products/{slug}`
   *
   * @example
   * ```ts
   * const answer = await shop.getCatalogProduct({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `unsupported_locale`, `unsupported_currency`, `not_found`
   */
  getCatalogProduct(input: GetCatalogProductInput, options?: CallOptions): Promise<Product>

  /**
   * List the products of the marketplace.
   *
   * A page of products of all open stores with filters, facets and an opaque cursor. Walking all pages returns each product once.
   *
   * `GET /api/v1/catalog/products`
   *
   * @example
   * ```ts
   * const answer = await shop.listCatalogProducts()
   * ```
   * @throws VitrineError `unsupported_locale`, `unsupported_currency`, `invalid_cursor`
   */
  listCatalogProducts(input?: ListCatalogProductsInput, options?: CallOptions): Promise<{ data: ProductSummary[]; meta: ProductListMeta }>

  /**
   * Search the products of the marketplace.
   *
   * A page of matching products, best first, with filters, facets and an opaque cursor. A misspelled query is corrected, and the answer names the correction.
   *
   * `GET /api/v1/search`
   *
   * @example
   * ```ts
   * const answer = await shop.searchCatalogProducts({ query: { q: 'linen shirt' } })
   * ```
   * @throws VitrineError `unsupported_locale`, `unsupported_currency`, `invalid_cursor`
   */
  searchCatalogProducts(input: SearchCatalogProductsInput, options?: CallOptions): Promise<{ data: ProductSummary[]; meta: SearchMeta }>

  /**
   * List the products available to the installation.
   *
   * Complete products, page by page, ordered by id: for copies and indexes. Follow `meta.next` unchanged.
   *
   * `GET /api/v1/open/catalog/products`
   *
   * @example
   * ```ts
   * const answer = await shop.listApiKeyCatalogProducts()
   * ```
   * @throws VitrineError `invalid_cursor`
   */
  listApiKeyCatalogProducts(input?: ListApiKeyCatalogProductsInput, options?: CallOptions): Promise<{ data: Product[]; meta: ApiKeyProductListMeta }>

  /**
   * Get a product available to the installation.
   *
   * The product with its options, SKUs, prices and stock in the environment of the credential.
   *
   * `GET /api/v1/open/catalog/products/{slug}`
   *
   * @example
   * ```ts
   * const answer = await shop.getApiKeyCatalogProduct({ params: { slug: 'linen-shirt' } })
   * ```
   * @throws VitrineError `unsupported_locale`, `unsupported_currency`, `not_found`
   */
  getApiKeyCatalogProduct(input: GetApiKeyCatalogProductInput, options?: CallOptions): Promise<Product>

  /**
   * List the categories available to the installation.
   *
   * Categories, parents before their children. Follow `meta.next` unchanged.
   *
   * `GET /api/v1/open/catalog/categories`
   *
   * @example
   * ```ts
   * const answer = await shop.listApiKeyCatalogCategories()
   * ```
   * @throws VitrineError `invalid_cursor`
   */
  listApiKeyCatalogCategories(input?: ListApiKeyCatalogCategoriesInput, options?: CallOptions): Promise<{ data: Category[]; meta: ApiKeyCategoryListMeta }>

  /**
   * Create a hosted checkout session.
   *
   * From a cart, with or without a quote, or from lines. A cart has one active session; creating it again returns the same one.
   *
   * `POST /api/v1/open/hosted/checkout/sessions`
   *
   * @example
   * ```ts
   * const answer = await shop.createHostedCheckoutSession({ body: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8', quoteId: 'quo_01k5b7m2q8e9rtv3w4x5y6z7a8', returnUrl: 'https://shop.example/return', cancelUrl: 'https://shop.example/cart' } })
   * ```
   * @throws VitrineError `quantity_invalid`, `unsupported_currency`, `unsupported_locale`, `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `version_conflict`, `cart_empty`, `cart_incomplete`, `quote_expired`, `quote_stale`, `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `promotion_inapplicable`, `out_of_stock`, `money_overflow`
   */
  createHostedCheckoutSession(input: CreateHostedCheckoutSessionInput, options?: CallOptions): Promise<HostedCheckoutSession>

  /**
   * Get a checkout session.
   *
   * Its status, what is known about the payment, and the next step for the caller.
   *
   * `GET /api/v1/open/hosted/checkout/sessions/{sessionId}`
   *
   * @example
   * ```ts
   * const answer = await shop.getHostedCheckoutSession({ params: { sessionId: 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getHostedCheckoutSession(input: GetHostedCheckoutSessionInput, options?: CallOptions): Promise<HostedCheckoutSession>

  /**
   * Cancel a checkout session.
   *
   * The cart becomes active again. While a payment is processing, the cancellation waits for its outcome. A session with an unknown payment outcome is never canceled.
   *
   * `POST /api/v1/open/hosted/checkout/sessions/{sessionId}/cancel`
   *
   * @example
   * ```ts
   * const answer = await shop.cancelHostedCheckoutSession({ params: { sessionId: 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `session_expired`, `session_not_cancelable`, `version_conflict`, `payment_outcome_unknown`
   */
  cancelHostedCheckoutSession(input: CancelHostedCheckoutSessionInput, options?: CallOptions): Promise<HostedCheckoutSession>

  /**
   * Start a hosted login.
   *
   * Send the shopper to the returned login page. They come back to the return URL, which must exactly match one of the installation’s registered return URLs, with loginSession, code, state and iss, or with error instead of code if they gave up.
   *
   * `POST /api/v1/open/hosted/login/initiate`
   *
   * @example
   * ```ts
   * const answer = await shop.initiateHostedLogin({ body: { returnUrl: 'https://shop.example/return', state: 'af0ifjsldkj', codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', codeChallengeMethod: 'S256' } })
   * ```
   * @throws VitrineError `unsupported_locale`, `quota_exceeded`
   */
  initiateHostedLogin(input: InitiateHostedLoginInput, options?: CallOptions): Promise<HostedLogin>

  /**
   * Complete a hosted login.
   *
   * Works once, with the verifier of the code challenge. Returns the customer and a token for creating carts. The token is only in the first answer; a replay says that it was already shown.
   *
   * `POST /api/v1/open/hosted/login/return`
   *
   * @example
   * ```ts
   * const answer = await shop.consumeHostedLoginReturn({ body: { loginSession: 'hls_01k5b7m2q8e9rtv3w4x5y6z7a8', code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj', codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' } })
   * ```
   * @throws VitrineError `not_found`, `login_return_consumed`, `session_expired`
   */
  consumeHostedLoginReturn(input: ConsumeHostedLoginReturnInput, options?: CallOptions): Promise<HostedLoginResult>

  /**
   * Create a cart.
   *
   * Creates a cart in one currency for one country, empty or with lines.
   *
   * `POST /api/v1/open/storefront/carts`
   *
   * @example
   * ```ts
   * const answer = await shop.createPublicCart({ body: { currency: 'EUR', country: 'DE' } })
   * ```
   * @throws VitrineError `quantity_invalid`, `unsupported_currency`, `unsupported_locale`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`, `money_overflow`
   */
  createPublicCart(input: CreatePublicCartInput, options?: CallOptions): Promise<Cart>

  /**
   * Get a cart with current prices.
   *
   * A problem the shopper can fix, such as low stock or a changed price, is a message in the cart, not an error. The answer has an `ETag`. Send it as `If-None-Match`: if the answer would be the same, it is `304`.
   *
   * `GET /api/v1/open/storefront/carts/{cartId}`
   *
   * @example
   * ```ts
   * const answer = await shop.getPublicCart({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getPublicCart(input: GetPublicCartInput, options?: CallOptions): Promise<Cart>

  /**
   * Add an item to a cart.
   *
   * A cart has one line per SKU. Adding a SKU again increases the quantity of its line.
   *
   * `POST /api/v1/open/storefront/carts/{cartId}/items`
   *
   * @example
   * ```ts
   * const answer = await shop.addPublicCartItem({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { skuId: 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8', quantity: 2 } })
   * ```
   * @throws VitrineError `quantity_invalid`, `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`, `money_overflow`
   */
  addPublicCartItem(input: AddPublicCartItemInput, options?: CallOptions): Promise<Cart>

  /**
   * Update the quantity of a line.
   *
   * Sets the new quantity. To remove a line, use removePublicCartItem; zero is refused.
   *
   * `PATCH /api/v1/open/storefront/carts/{cartId}/items/{skuId}`
   *
   * @example
   * ```ts
   * const answer = await shop.updatePublicCartItemQuantity({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8', skuId: 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { quantity: 2 } })
   * ```
   * @throws VitrineError `quantity_invalid`, `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`, `money_overflow`
   */
  updatePublicCartItemQuantity(input: UpdatePublicCartItemQuantityInput, options?: CallOptions): Promise<Cart>

  /**
   * Remove a line from a cart.
   *
   * Removes the whole line of the SKU. A missing line is `not_found`.
   *
   * `DELETE /api/v1/open/storefront/carts/{cartId}/items/{skuId}`
   *
   * @example
   * ```ts
   * const answer = await shop.removePublicCartItem({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8', skuId: 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`
   */
  removePublicCartItem(input: RemovePublicCartItemInput, options?: CallOptions): Promise<Cart>

  /**
   * Set the addresses, contact and shipping option of a cart.
   *
   * Partial update: an absent member is unchanged, `null` removes it. An incomplete address is stored, and `addressState` lists what is missing. `customerToken` makes the cart of a guest the cart of the customer; a cart of another customer is `validation_failed`. `metadata` is merged by key.
   *
   * `PUT /api/v1/open/storefront/carts/{cartId}/address`
   *
   * @example
   * ```ts
   * const answer = await shop.setPublicCartAddress({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`, `address_invalid`
   */
  setPublicCartAddress(input: SetPublicCartAddressInput, options?: CallOptions): Promise<Cart>

  /**
   * Remove all lines from a cart.
   *
   * The cart stays active and keeps its addresses and promotion code.
   *
   * `POST /api/v1/open/storefront/carts/{cartId}/clear`
   *
   * @example
   * ```ts
   * const answer = await shop.clearPublicCart({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`
   */
  clearPublicCart(input: ClearPublicCartInput, options?: CallOptions): Promise<Cart>

  /**
   * Revoke a cart.
   *
   * Permanent. An open checkout session is canceled first. Refused while the outcome of its payment is unknown.
   *
   * `POST /api/v1/open/storefront/carts/{cartId}/revoke`
   *
   * @example
   * ```ts
   * const answer = await shop.revokePublicCart({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `version_conflict`, `payment_outcome_unknown`
   */
  revokePublicCart(input: RevokePublicCartInput, options?: CallOptions): Promise<Cart>

  /**
   * Apply a promotion code to a cart.
   *
   * Replaces the current code. A code that no longer applies later stays on the cart with the reason.
   *
   * `PUT /api/v1/open/storefront/carts/{cartId}/promotion`
   *
   * @example
   * ```ts
   * const answer = await shop.applyPublicCartPromotion({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { code: 'SUMMER15' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`, `promotion_inapplicable`
   */
  applyPublicCartPromotion(input: ApplyPublicCartPromotionInput, options?: CallOptions): Promise<CartPromotionState>

  /**
   * Remove the promotion code from a cart.
   *
   * Prices return to what they were without the code. Does nothing if the cart has no code.
   *
   * `DELETE /api/v1/open/storefront/carts/{cartId}/promotion`
   *
   * @example
   * ```ts
   * const answer = await shop.removePublicCartPromotion({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`
   */
  removePublicCartPromotion(input: RemovePublicCartPromotionInput, options?: CallOptions): Promise<CartPromotionState>

  /**
   * Create a signed quote for a cart.
   *
   * Stores the priced cart and signs it. Until it expires, checkout with its id charges exactly this amount; only stock can still refuse. Changing the cart makes the quote stale.
   *
   * `POST /api/v1/open/storefront/carts/{cartId}/quote`
   *
   * @example
   * ```ts
   * const answer = await shop.quotePublicCart({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `cart_locked`, `version_conflict`, `cart_empty`, `cart_incomplete`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`, `money_overflow`
   */
  quotePublicCart(input: QuotePublicCartInput, options?: CallOptions): Promise<CheckoutQuote>

  /**
   * Get the last quote, the current price, and what blocks checkout.
   *
   * Changes nothing and guarantees no price. Each blocker has a code and a path into the cart.
   *
   * `GET /api/v1/open/storefront/carts/{cartId}/checkout-quote`
   *
   * @example
   * ```ts
   * const answer = await shop.quotePublicCartCheckout({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  quotePublicCartCheckout(input: QuotePublicCartCheckoutInput, options?: CallOptions): Promise<CheckoutReadiness>

  /**
   * Start the hosted checkout of a cart.
   *
   * Locks the cart and reserves its stock. With a valid quote, exactly its prices are charged. Starting again returns the same session.
   *
   * `POST /api/v1/open/storefront/carts/{cartId}/checkout`
   *
   * @example
   * ```ts
   * const answer = await shop.checkoutPublicCart({ params: { cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { returnUrl: 'https://shop.example/return', cancelUrl: 'https://shop.example/return' } })
   * ```
   * @throws VitrineError `not_found`, `cart_converted`, `cart_revoked`, `cart_expired`, `version_conflict`, `cart_empty`, `cart_incomplete`, `quote_expired`, `quote_stale`, `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `promotion_inapplicable`, `out_of_stock`, `money_overflow`
   */
  checkoutPublicCart(input: CheckoutPublicCartInput, options?: CallOptions): Promise<HostedCheckoutSession>

  /**
   * List the orders of the installation, newest first.
   *
   * Follow `data.next` unchanged.
   *
   * `GET /api/v1/open/storefront/orders`
   *
   * @example
   * ```ts
   * const answer = await shop.listStorefrontOrders()
   * ```
   * @throws VitrineError `invalid_cursor`
   */
  listStorefrontOrders(input?: ListStorefrontOrdersInput, options?: CallOptions): Promise<OrderList>

  /**
   * Get an order.
   *
   * The frozen purchase and its progress: lines, money, parcels and a timeline.
   *
   * `GET /api/v1/open/storefront/orders/{orderId}`
   *
   * @example
   * ```ts
   * const answer = await shop.getStorefrontOrder({ params: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getStorefrontOrder(input: GetStorefrontOrderInput, options?: CallOptions): Promise<Order>

  /**
   * Check whether an order can be canceled.
   *
   * Returns machine-readable reasons, a deadline, a preview of the money, and a token that makes the answer binding for ten minutes.
   *
   * `GET /api/v1/open/storefront/orders/{orderId}/cancellation-eligibility`
   *
   * @example
   * ```ts
   * const answer = await shop.getStorefrontOrderCancellationEligibility({ params: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getStorefrontOrderCancellationEligibility(input: GetStorefrontOrderCancellationEligibilityInput, options?: CallOptions): Promise<OrderEligibility>

  /**
   * Cancel an order or a part of it.
   *
   * Takes effect at once before fulfillment. Later, an operator decides.
   *
   * `POST /api/v1/open/storefront/orders/{orderId}/cancellations`
   *
   * @example
   * ```ts
   * const answer = await shop.cancelStorefrontOrder({ params: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { reason: 'customer_request' } })
   * ```
   * @throws VitrineError `quantity_invalid`, `not_found`, `version_conflict`, `payment_outcome_unknown`, `order_not_cancelable`, `cancellation_exists`, `quantity_exceeded`
   */
  cancelStorefrontOrder(input: CancelStorefrontOrderInput, options?: CallOptions): Promise<Cancellation>

  /**
   * Check which after-sales requests an order is eligible for.
   *
   * For each kind and line: reasons, deadlines, a preview of the money, and a token that makes the answer binding for ten minutes.
   *
   * `GET /api/v1/open/storefront/orders/{orderId}/after-sales-eligibility`
   *
   * @example
   * ```ts
   * const answer = await shop.getStorefrontOrderAfterSalesEligibility({ params: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getStorefrontOrderAfterSalesEligibility(input: GetStorefrontOrderAfterSalesEligibilityInput, options?: CallOptions): Promise<OrderEligibility>

  /**
   * Request a refund, return, exchange or repair.
   *
   * Records a request. No money moves.
   *
   * `POST /api/v1/open/storefront/orders/{orderId}/after-sales`
   *
   * @example
   * ```ts
   * const answer = await shop.requestStorefrontOrderAfterSales({ params: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' }, body: { kind: 'refund_only', reasonCode: 'defective', lines: [{ lineId: 'oli_01k5b7m2q8e9rtv3w4x5y6z7a8', quantity: 1, condition: 'unopened' }] } })
   * ```
   * @throws VitrineError `quantity_invalid`, `not_found`, `version_conflict`, `payment_outcome_unknown`, `after_sales_ineligible`, `after_sales_exists`, `sku_unavailable`, `quantity_exceeded`
   */
  requestStorefrontOrderAfterSales(input: RequestStorefrontOrderAfterSalesInput, options?: CallOptions): Promise<AfterSales>

  /**
   * List the webhook endpoints of the installation.
   *
   * With status and delivery statistics. Follow `data.result.next` unchanged.
   *
   * `GET /api/v1/open/webhooks/endpoints`
   *
   * @example
   * ```ts
   * const answer = await shop.listInstallationWebhooks()
   * ```
   * @throws VitrineError `invalid_cursor`
   */
  listInstallationWebhooks(input?: ListInstallationWebhooksInput, options?: CallOptions): Promise<{
    /** The operationId. */
    operation: 'listInstallationWebhooks'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: WebhookEndpointList
  }>

  /**
   * Create a webhook endpoint.
   *
   * The secret is shown once, in this answer.
   *
   * `POST /api/v1/open/webhooks/endpoints`
   *
   * @example
   * ```ts
   * const answer = await shop.createInstallationWebhook({ body: { url: 'https://shop.example/hooks', events: ['order.created'] } })
   * ```
   * @throws VitrineError `webhook_url_invalid`, `unknown_event_type`, `endpoint_limit_reached`
   */
  createInstallationWebhook(input: CreateInstallationWebhookInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>

  /**
   * Update a webhook endpoint.
   *
   * Its URL, events, status or secret. Set the status to enable a disabled endpoint again.
   *
   * `PATCH /api/v1/open/webhooks/endpoints/{id}`
   *
   * @example
   * ```ts
   * const answer = await shop.updateInstallationWebhook({ params: { id: 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `webhook_url_invalid`, `not_found`, `version_conflict`, `unknown_event_type`
   */
  updateInstallationWebhook(input: UpdateInstallationWebhookInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>

  /**
   * Get a signed sample to test a receiver with.
   *
   * The headers, the exact body bytes, the signed bytes, and samples a receiver must refuse.
   *
   * `GET /api/v1/open/webhooks/endpoints/{id}/signature-fixture`
   *
   * @example
   * ```ts
   * const answer = await shop.getInstallationWebhookSignatureFixture({ params: { id: 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`
   */
  getInstallationWebhookSignatureFixture(input: GetInstallationWebhookSignatureFixtureInput, options?: CallOptions): Promise<WebhookSignatureFixture>

  /**
   * List webhook deliveries, newest first.
   *
   * With every attempt. Retained for 30 days.
   *
   * `GET /api/v1/open/webhooks/deliveries`
   *
   * @example
   * ```ts
   * const answer = await shop.listInstallationWebhookDeliveries()
   * ```
   * @throws VitrineError `unknown_event_type`, `invalid_cursor`
   */
  listInstallationWebhookDeliveries(input?: ListInstallationWebhookDeliveriesInput, options?: CallOptions): Promise<WebhookDeliveryList>

  /**
   * Replay a webhook delivery.
   *
   * Creates a new delivery with the same bytes and event id, from one that succeeded or is dead.
   *
   * `POST /api/v1/open/webhooks/deliveries/{id}/replay`
   *
   * @example
   * ```ts
   * const answer = await shop.replayInstallationWebhookDelivery({ params: { id: 'whd_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
   * ```
   * @throws VitrineError `not_found`, `delivery_in_progress`, `endpoint_disabled`
   */
  replayInstallationWebhookDelivery(input: ReplayInstallationWebhookDeliveryInput, options?: CallOptions): Promise<{
    /** The operationId. */
    operation: 'replayInstallationWebhookDelivery'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: WebhookDelivery
  }>

  /**
   * List the event kinds.
   *
   * Each with the JSON Schema of its body and an example.
   *
   * `GET /api/v1/open/webhooks/events`
   *
   * @example
   * ```ts
   * const answer = await shop.listInstallationWebhookEvents()
   * ```
   */
  listInstallationWebhookEvents(input?: ListInstallationWebhookEventsInput, options?: CallOptions): Promise<WebhookEventKindList>

  /**
   * Describe the authorization server or a validated authorization request.
   *
   * Never redirects and writes nothing. Without a query, returns the server metadata. With the query of RFC 6749, returns the validated request and the consent page for store staff.
   *
   * `GET /api/v1/oauth/authorize`
   *
   * @example
   * ```ts
   * const answer = await shop.describeOAuthAuthorization()
   * ```
   * @throws VitrineError `oauth_invalid_request`, `oauth_unauthorized_client`, `oauth_unsupported_response_type`, `oauth_invalid_scope`, `oauth_invalid_target`
   */
  describeOAuthAuthorization(input?: DescribeOAuthAuthorizationInput, options?: CallOptions): Promise<{
    /** The operationId. */
    operation: 'describeOAuthAuthorization'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: AuthorizationDescription
  }>

  /**
   * Exchange an authorization code or a refresh token for tokens.
   *
   * Tokens are bound to the key of the DPoP proof. The members of RFC 6749 are repeated at the top level.
   *
   * `POST /api/v1/oauth/token`
   *
   * @example
   * ```ts
   * const answer = await shop.exchangeOAuthToken({ body: { grant_type: 'authorization_code' } })
   * ```
   * @throws VitrineError `oauth_invalid_request`, `oauth_unsupported_grant_type`, `oauth_invalid_dpop_proof`, `oauth_use_dpop_nonce`, `oauth_invalid_client`, `oauth_unauthorized_client`, `oauth_invalid_grant`, `oauth_invalid_scope`, `oauth_invalid_target`
   */
  exchangeOAuthToken(input: ExchangeOAuthTokenInput, options?: CallOptions): Promise<OAuthTokenGrant>

  /**
   * Revoke a token.
   *
   * Known, unknown and revoked tokens get the same answer. Needs no DPoP proof, as in RFC 7009; a proof that is sent is checked.
   *
   * `POST /api/v1/oauth/revoke`
   *
   * @example
   * ```ts
   * const answer = await shop.revokeOAuthToken({ body: { token: 'sfrt_9f8e7d6c5b4a' } })
   * ```
   * @throws VitrineError `oauth_invalid_request`, `oauth_unsupported_token_type`, `oauth_invalid_dpop_proof`, `oauth_use_dpop_nonce`, `oauth_invalid_client`, `oauth_unauthorized_client`
   */
  revokeOAuthToken(input: RevokeOAuthTokenInput, options?: CallOptions): Promise<OAuthRevocation>
}

/** The input of each operation. */
export interface OperationInputs {
  getBootstrap: GetBootstrapInput
  listLegalDocuments: ListLegalDocumentsInput
  listContactChannels: ListContactChannelsInput
  getRuntimeConfig: GetRuntimeConfigInput
  getStoreDecoration: GetStoreDecorationInput
  confirmOfficialPasswordReset: ConfirmOfficialPasswordResetInput
  requestOfficialPasswordReset: RequestOfficialPasswordResetInput
  registerOfficialStorefrontCustomer: RegisterOfficialStorefrontCustomerInput
  getStoreAccessConfig: GetStoreAccessConfigInput
  verifyStorefrontChallenge: VerifyStorefrontChallengeInput
  createStorefrontChallenge: CreateStorefrontChallengeInput
  getInstallationIdentity: GetInstallationIdentityInput
  getInstallationReadiness: GetInstallationReadinessInput
  getApiKeyIdentity: GetApiKeyIdentityInput
  listCatalogCategories: ListCatalogCategoriesInput
  getStoreProduct: GetStoreProductInput
  listStoreCategories: ListStoreCategoriesInput
  listStoreProducts: ListStoreProductsInput
  getStore: GetStoreInput
  getCatalogProduct: GetCatalogProductInput
  listCatalogProducts: ListCatalogProductsInput
  searchCatalogProducts: SearchCatalogProductsInput
  listApiKeyCatalogProducts: ListApiKeyCatalogProductsInput
  getApiKeyCatalogProduct: GetApiKeyCatalogProductInput
  listApiKeyCatalogCategories: ListApiKeyCatalogCategoriesInput
  createHostedCheckoutSession: CreateHostedCheckoutSessionInput
  getHostedCheckoutSession: GetHostedCheckoutSessionInput
  cancelHostedCheckoutSession: CancelHostedCheckoutSessionInput
  initiateHostedLogin: InitiateHostedLoginInput
  consumeHostedLoginReturn: ConsumeHostedLoginReturnInput
  createPublicCart: CreatePublicCartInput
  getPublicCart: GetPublicCartInput
  addPublicCartItem: AddPublicCartItemInput
  updatePublicCartItemQuantity: UpdatePublicCartItemQuantityInput
  removePublicCartItem: RemovePublicCartItemInput
  setPublicCartAddress: SetPublicCartAddressInput
  clearPublicCart: ClearPublicCartInput
  revokePublicCart: RevokePublicCartInput
  applyPublicCartPromotion: ApplyPublicCartPromotionInput
  removePublicCartPromotion: RemovePublicCartPromotionInput
  quotePublicCart: QuotePublicCartInput
  quotePublicCartCheckout: QuotePublicCartCheckoutInput
  checkoutPublicCart: CheckoutPublicCartInput
  listStorefrontOrders: ListStorefrontOrdersInput
  getStorefrontOrder: GetStorefrontOrderInput
  getStorefrontOrderCancellationEligibility: GetStorefrontOrderCancellationEligibilityInput
  cancelStorefrontOrder: CancelStorefrontOrderInput
  getStorefrontOrderAfterSalesEligibility: GetStorefrontOrderAfterSalesEligibilityInput
  requestStorefrontOrderAfterSales: RequestStorefrontOrderAfterSalesInput
  listInstallationWebhooks: ListInstallationWebhooksInput
  createInstallationWebhook: CreateInstallationWebhookInput
  updateInstallationWebhook: UpdateInstallationWebhookInput
  getInstallationWebhookSignatureFixture: GetInstallationWebhookSignatureFixtureInput
  listInstallationWebhookDeliveries: ListInstallationWebhookDeliveriesInput
  replayInstallationWebhookDelivery: ReplayInstallationWebhookDeliveryInput
  listInstallationWebhookEvents: ListInstallationWebhookEventsInput
  describeOAuthAuthorization: DescribeOAuthAuthorizationInput
  exchangeOAuthToken: ExchangeOAuthTokenInput
  revokeOAuthToken: RevokeOAuthTokenInput
}

/** The output of each operation. */
export interface OperationOutputs {
  getBootstrap: Bootstrap
  listLegalDocuments: LegalDocument[]
  listContactChannels: ContactChannel[]
  getRuntimeConfig: RuntimeConfig
  getStoreDecoration: Decoration
  confirmOfficialPasswordReset: PasswordResetStatus
  requestOfficialPasswordReset: AcceptedStatus
  registerOfficialStorefrontCustomer: AcceptedStatus
  getStoreAccessConfig: StoreAccessConfig
  verifyStorefrontChallenge: StoreAccessGrant
  createStorefrontChallenge: Challenge
  getInstallationIdentity: InstallationIdentity
  getInstallationReadiness: Readiness
  getApiKeyIdentity: ApiKeyIdentity
  listCatalogCategories: { data: Category[]; meta: CategoryListMeta }
  getStoreProduct: Product
  listStoreCategories: { data: Category[]; meta: CategoryListMeta }
  listStoreProducts: { data: ProductSummary[]; meta: ProductListMeta }
  getStore: StoreProfile
  getCatalogProduct: Product
  listCatalogProducts: { data: ProductSummary[]; meta: ProductListMeta }
  searchCatalogProducts: { data: ProductSummary[]; meta: SearchMeta }
  listApiKeyCatalogProducts: { data: Product[]; meta: ApiKeyProductListMeta }
  getApiKeyCatalogProduct: Product
  listApiKeyCatalogCategories: { data: Category[]; meta: ApiKeyCategoryListMeta }
  createHostedCheckoutSession: HostedCheckoutSession
  getHostedCheckoutSession: HostedCheckoutSession
  cancelHostedCheckoutSession: HostedCheckoutSession
  initiateHostedLogin: HostedLogin
  consumeHostedLoginReturn: HostedLoginResult
  createPublicCart: Cart
  getPublicCart: Cart
  addPublicCartItem: Cart
  updatePublicCartItemQuantity: Cart
  removePublicCartItem: Cart
  setPublicCartAddress: Cart
  clearPublicCart: Cart
  revokePublicCart: Cart
  applyPublicCartPromotion: CartPromotionState
  removePublicCartPromotion: CartPromotionState
  quotePublicCart: CheckoutQuote
  quotePublicCartCheckout: CheckoutReadiness
  checkoutPublicCart: HostedCheckoutSession
  listStorefrontOrders: OrderList
  getStorefrontOrder: Order
  getStorefrontOrderCancellationEligibility: OrderEligibility
  cancelStorefrontOrder: Cancellation
  getStorefrontOrderAfterSalesEligibility: OrderEligibility
  requestStorefrontOrderAfterSales: AfterSales
  listInstallationWebhooks: {
    /** The operationId. */
    operation: 'listInstallationWebhooks'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: WebhookEndpointList
  }
  createInstallationWebhook: WebhookEndpointWithSecret
  updateInstallationWebhook: WebhookEndpointWithSecret
  getInstallationWebhookSignatureFixture: WebhookSignatureFixture
  listInstallationWebhookDeliveries: WebhookDeliveryList
  replayInstallationWebhookDelivery: {
    /** The operationId. */
    operation: 'replayInstallationWebhookDelivery'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: WebhookDelivery
  }
  listInstallationWebhookEvents: WebhookEventKindList
  describeOAuthAuthorization: {
    /** The operationId. */
    operation: 'describeOAuthAuthorization'
    /** `noop`: nothing had to change. */
    status: 'succeeded' | 'accepted' | 'noop' | (string & {})
    result: AuthorizationDescription
  }
  exchangeOAuthToken: OAuthTokenGrant
  revokeOAuthToken: OAuthRevocation
}

/** The item of each paginated list. */
export interface ListItems {
  listStoreProducts: ProductSummary
  listCatalogProducts: ProductSummary
  searchCatalogProducts: ProductSummary
  listApiKeyCatalogProducts: Product
  listApiKeyCatalogCategories: Category
  listStorefrontOrders: OrderSummary
  listInstallationWebhooks: WebhookEndpoint
  listInstallationWebhookDeliveries: WebhookDelivery
}
