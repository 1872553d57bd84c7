import { type Static, type TSchema, Type } from 'typebox'
import { PRODUCT_SORTS } from './catalog.ts'
import { SAFE_INTEGER_MAX } from './common.ts'
import { Capability } from './installations.ts'
import { closed, formed, integer, listOf, named, oneOf, text } from './primitives.ts'

const count = (description: string, example: number) => integer(0, SAFE_INTEGER_MAX, description, example)
const words = <Item extends TSchema>(item: Item, description: string) => listOf(item, 50, description)
const header = (description: string, example: string) =>
  formed('^[A-Za-z][A-Za-z0-9-]{0,63}$', 64, description, example)

export const RateLimitPolicy = named(
  'RateLimitPolicy',
  closed('A rate limit: requests per window, and the burst allowed at once.', {
    name: formed('^[a-z][a-z0-9-]{1,63}$', 64, 'The policy, as named in answers and errors.', 'key-write'),
    limit: count('Requests per window.', 3000),
    windowSeconds: count('The window, in seconds.', 60),
    burst: count('Requests allowed at once.', 300),
    per: text(100, 'What is counted.', 'installation'),
  }),
)
export type RateLimitPolicy = Static<typeof RateLimitPolicy>

export const PublicKey = named(
  'PublicKey',
  closed('A public key to verify quotes with, RFC 8037.', {
    kid: text(64, 'The id of the key.', 'quote-1'),
    kty: Type.Literal('OKP', { description: 'An octet key pair.' }),
    crv: Type.Literal('Ed25519', { description: 'The curve.' }),
    x: formed('^[A-Za-z0-9_-]{43}$', 43, 'The key, in base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
    alg: Type.Literal('EdDSA', { description: 'The algorithm.' }),
    use: Type.Literal('sig', { description: 'Used for signatures.' }),
  }),
)
export type PublicKey = Static<typeof PublicKey>

/** Every number a client would otherwise guess. Units come last in a name. */
export const RuntimeConfig = named(
  'RuntimeConfig',
  closed('Every number a client would otherwise guess.', {
    apiVersion: Type.Literal('v1', { description: 'The version prefix of all paths.' }),
    rateLimits: listOf(RateLimitPolicy, 50, 'The limits in force.'),
    requests: closed('Request limits.', { bodyBytesMax: count('The maximum body size.', 1_048_576) }),
    idempotency: closed('Idempotency.', {
      header: header('The header with the key.', 'Idempotency-Key'),
      replayHeader: header('The header of a replayed answer.', 'Idempotent-Replayed'),
      keyLengthMax: count('The maximum key length.', 255),
      retentionDays: count('The retention of keys.', 30),
      inProgressRetryMs: count('How long to wait while the first request is running.', 1000),
    }),
    pagination: closed('Pagination.', {
      limitMax: count('The maximum page size.', 100),
      limitDefaultPublic: count('The default page size of public lists.', 24),
      limitDefaultInstallation: count('The default page size of installation lists.', 50),
      sorts: words(oneOf(PRODUCT_SORTS, 'A sort order.'), 'The sort orders of product lists.'),
    }),
    publicReads: closed('The freshness of public reads.', {
      maxAgeSeconds: count('How long an answer is fresh, in seconds.', 5),
      staleWhileRevalidateSeconds: count(
        'How long a stale answer may be shown while it is revalidated, in seconds.',
        60,
      ),
    }),
    money: closed('Money limits.', {
      amountMax: count('The maximum amount, in minor units.', SAFE_INTEGER_MAX),
    }),
    cart: closed('Cart limits.', {
      linesMax: count('Lines.', 100),
      lineQuantityMax: count('The maximum quantity of a line.', 999),
      promotionCodesMax: count('Codes at a time.', 1),
      promotionCodeLengthMax: count('The maximum code length.', 64),
      metadataKeysMax: count('Metadata keys.', 20),
      idleExpiryDays: count('How long an idle cart is kept.', 30),
    }),
    quote: closed('Quotes.', {
      ttlSeconds: count('How long a quote is valid.', 1800),
      signatureAlgorithm: Type.Literal('EdDSA', { description: 'Ed25519, RFC 8037.' }),
      publicKeys: listOf(PublicKey, 10, 'The public keys that verify quotes.'),
    }),
    checkout: closed('Checkout session limits.', {
      activeSessionsPerCartMax: count('Active sessions per cart.', 1),
      metadataKeysMax: count('Metadata keys.', 20),
      sessionSeconds: count('How long a shopper has to pay. Price and stock are reserved as long.', 3600),
      transferSeconds: count('The same for a bank transfer.', 259_200),
    }),
    orders: closed('After-sales limits.', {
      eligibilityTokenSeconds: count('How long an eligibility answer is binding.', 600),
      evidenceMax: count('Pieces of evidence per request.', 10),
    }),
    apiKeys: closed('API key lifetimes.', {
      rotationOverlapHours: count('How long the old key keeps working after a rotation.', 24),
      lastUsedResolutionSeconds: count('The resolution of `lastUsedAt`.', 60),
    }),
    dpop: closed('DPoP proof requirements.', {
      algorithms: words(oneOf(['ES256', 'EdDSA', 'Ed25519'], 'A JWS algorithm.'), 'The accepted algorithms.'),
      proofBytesMax: count('The maximum proof size.', 8192),
      iatPastSecondsMax: count('The maximum age of `iat`.', 60),
      iatFutureSecondsMax: count('How far `iat` may be in the future.', 10),
      iatWithNonceSecondsMax: count('How far `iat` may be off in a proof with a fresh nonce.', 3600),
      nonceHeader: header('The header with the nonce.', 'DPoP-Nonce'),
      nonceStepSeconds: count('How often the nonce changes.', 60),
      nonceStepsAccepted: count('How many steps before and after the current one are accepted.', 2),
    }),
    oauth: closed('OAuth lifetimes.', {
      accessTokenSeconds: count('An access token.', 600),
      authorizationCodeSeconds: count('A code.', 60),
      authorizationRequestSeconds: count('A validated authorization request.', 300),
      refreshTokenAbsoluteDays: count('A refresh token, at most.', 30),
      refreshTokenIdleDays: count('An unused refresh token.', 7),
      refreshRetrySeconds: count('How long a rotated token still returns its successor to the same key.', 60),
      codeChallengeMethods: words(oneOf(['S256'], 'A PKCE method.'), 'The supported PKCE methods.'),
    }),
    hostedLogin: closed('Hosted login lifetimes and limits.', {
      sessionSeconds: count('From initiate to return.', 600),
      codeSeconds: count('From return to consumption.', 60),
      customerTokenSeconds: count('How long a customer token can create carts.', 43_200),
      openSessionsMax: count('Open logins per installation.', 5000),
    }),
    accounts: closed('Customer account limits.', {
      passwordLengthMin: count('The minimum password length.', 8),
      passwordLengthMax: count('The maximum password length.', 128),
      resetTokenSeconds: count('The lifetime of a reset token.', 1200),
      registrationSeconds: count('The lifetime of a confirmation link.', 86_400),
    }),
    storeAccess: closed('Access to gated stores.', {
      header: header('The header that carries the access token.', 'X-Store-Access'),
      challengeSeconds: count('The lifetime of a challenge.', 300),
      challengeAttemptsMax: count('Attempts per challenge.', 5),
      workGrantSeconds: count('The lifetime of a proof-of-work grant.', 1800),
      passwordGrantSeconds: count('The lifetime of a password grant.', 43_200),
    }),
    webhooks: closed('Webhook delivery.', {
      attemptDelaysSeconds: listOf(count('Seconds after the previous attempt.', 5), 20, 'The retry schedule.', {
        examples: [[0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]],
      }),
      jitterPercent: count('The jitter of the schedule.', 10),
      timeoutSeconds: count('The timeout of an attempt.', 15),
      inFlightPerEndpointMax: count('Deliveries in flight per endpoint.', 5),
      bodyBytesMax: count('The maximum event size.', 20_480),
      endpointsMax: count('Endpoints per installation.', 16),
      eventKindsPerEndpointMax: count('Event kinds per endpoint.', 50),
      failuresBeforeProbing: count('Consecutive failures before only probes are sent.', 10),
      probeIntervalSeconds: count('The probe interval.', 60),
      disabledAfterDays: count('Days of failures before the endpoint is disabled.', 5),
      secretOverlapHours: count('How long the old secret keeps signing after a rotation.', 24),
      timestampToleranceSeconds: count('The timestamp tolerance recommended to receivers.', 300),
      retentionDays: count('The retention of events and attempts.', 30),
    }),
    capabilities: listOf(Capability, 10, 'The capabilities of the service and their blockers.'),
  }),
)
export type RuntimeConfig = Static<typeof RuntimeConfig>
