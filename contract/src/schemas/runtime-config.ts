import { type Static, type TSchema, Type } from 'typebox'
import { PRODUCT_SORTS } from './catalog.ts'
import { SAFE_INTEGER_MAX } from './common.ts'
import { Capability } from './installations.ts'
import { closed, formed, integer, listOf, named, oneOf, text } from './primitives.ts'

const count = (description: string, example: number) => integer(0, SAFE_INTEGER_MAX, description, example)
const words = (item: TSchema, description: string) => listOf(item, 50, description)
const header = (description: string, example: string) =>
  formed('^[A-Za-z][A-Za-z0-9-]{0,63}$', 64, description, example)

export const RateLimitPolicy = named(
  'RateLimitPolicy',
  closed('So many requests in a window, of which a burst may come at once.', {
    name: formed('^[a-z][a-z0-9-]{1,63}$', 64, 'The policy, as answers and errors name it.', 'key-write'),
    limit: count('Requests in a window.', 3000),
    windowSeconds: count('The window.', 60),
    burst: count('Requests that may come at once.', 300),
    per: text(100, 'What is counted.', 'installation'),
  }),
)
export type RateLimitPolicy = Static<typeof RateLimitPolicy>

export const PublicKey = named(
  'PublicKey',
  closed('A public key that quotes are verified with, RFC 8037.', {
    kid: text(64, 'The name of the key.', 'quote-1'),
    kty: Type.Literal('OKP', { description: 'An octet key pair.' }),
    crv: Type.Literal('Ed25519', { description: 'The curve.' }),
    x: formed('^[A-Za-z0-9_-]{43}$', 43, 'The key, in base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
    alg: Type.Literal('EdDSA', { description: 'The algorithm.' }),
    use: Type.Literal('sig', { description: 'It signs.' }),
  }),
)
export type PublicKey = Static<typeof PublicKey>

/** Every number that a client would otherwise guess. The unit stands last in each name. */
export const RuntimeConfig = named(
  'RuntimeConfig',
  closed('Every number that a client would otherwise guess.', {
    apiVersion: Type.Literal('v1', { description: 'As all paths begin with.' }),
    rateLimits: listOf(RateLimitPolicy, 50, 'The limits in force.'),
    requests: closed('What a request may be.', { bodyBytesMax: count('The largest body.', 1_048_576) }),
    idempotency: closed('How writes are made safe to repeat.', {
      header: header('The header that carries the key.', 'Idempotency-Key'),
      replayHeader: header('The header of an answer that is given again.', 'Idempotent-Replayed'),
      keyLengthMax: count('The longest key.', 255),
      retentionDays: count('How long a key is remembered.', 30),
      inProgressRetryMs: count('How long to wait while the first request runs.', 1000),
    }),
    pagination: closed('How lists are cut.', {
      limitMax: count('The longest page.', 100),
      limitDefaultPublic: count('The page of a public list.', 24),
      limitDefaultInstallation: count('The page of an installation list.', 50),
      sorts: words(oneOf(PRODUCT_SORTS, 'An order.'), 'The orders of product lists.'),
    }),
    publicReads: closed('How long an answer that anybody may read is fresh.', {
      maxAgeSeconds: count('Seconds in which nobody needs to ask again.', 5),
      staleWhileRevalidateSeconds: count(
        'Seconds in which the old answer may be shown while the new one is asked for.',
        60,
      ),
    }),
    money: closed('What amounts may be.', {
      amountMax: count('The largest amount, in minor units.', SAFE_INTEGER_MAX),
    }),
    cart: closed('What a cart may be.', {
      linesMax: count('Lines.', 100),
      lineQuantityMax: count('Units of a line.', 999),
      promotionCodesMax: count('Codes at a time.', 1),
      promotionCodeLengthMax: count('The longest code.', 64),
      metadataKeysMax: count('Notes of the caller.', 20),
      idleExpiryDays: count('How long a cart is kept that nobody changes.', 30),
    }),
    quote: closed('What a quote promises.', {
      ttlSeconds: count('How long it is honoured.', 1800),
      signatureAlgorithm: Type.Literal('EdDSA', { description: 'Ed25519, RFC 8037.' }),
      publicKeys: listOf(PublicKey, 10, 'The keys that its signature verifies with.'),
    }),
    checkout: closed('What a checkout session may be.', {
      activeSessionsPerCartMax: count('Active sessions of a cart.', 1),
      metadataKeysMax: count('Notes of the caller.', 20),
      sessionSeconds: count('How long a shopper has to pay; price and stock are held as long.', 3600),
      transferSeconds: count('The same, once they have chosen to transfer money from their bank.', 604_800),
    }),
    orders: closed('What after-sales may be.', {
      eligibilityTokenSeconds: count('How long an eligibility answer binds us.', 600),
      evidenceMax: count('Pieces of evidence in a request.', 10),
    }),
    apiKeys: closed('How keys live.', {
      rotationOverlapHours: count('How long the old key works beside the new one.', 24),
      lastUsedResolutionSeconds: count('How exact `lastUsedAt` is.', 60),
    }),
    dpop: closed('What a DPoP proof must be.', {
      algorithms: words(oneOf(['ES256', 'EdDSA', 'Ed25519'], 'An algorithm of JWS.'), 'The algorithms that are taken.'),
      proofBytesMax: count('The longest proof.', 8192),
      iatPastSecondsMax: count('How old `iat` may be.', 60),
      iatFutureSecondsMax: count('How far ahead `iat` may be.', 10),
      nonceHeader: header('The header that carries our nonce.', 'DPoP-Nonce'),
      nonceStepSeconds: count('How often the nonce changes.', 60),
      nonceStepsAccepted: count('How many steps before and after now are taken.', 2),
    }),
    oauth: closed('How long grants live.', {
      accessTokenSeconds: count('An access token.', 600),
      authorizationCodeSeconds: count('A code.', 60),
      authorizationRequestSeconds: count('A validated authorization request.', 300),
      refreshTokenAbsoluteDays: count('A refresh token, however often it is used.', 30),
      refreshTokenIdleDays: count('A refresh token that nobody uses.', 7),
      refreshRetrySeconds: count('How long a rotated token still gives its successor to the same key.', 60),
      codeChallengeMethods: words(oneOf(['S256'], 'A method of PKCE.'), 'The methods of PKCE.'),
    }),
    hostedLogin: closed('How long a hosted login lives, and how many may be under way.', {
      sessionSeconds: count('From initiate to return.', 600),
      codeSeconds: count('From return to its consumption.', 60),
      customerTokenSeconds: count('How long a customer token opens carts.', 43_200),
      openSessionsMax: count('Logins of an installation that have begun and not ended.', 5000),
    }),
    accounts: closed('What customers must know.', {
      passwordLengthMin: count('The shortest password.', 8),
      passwordLengthMax: count('The longest password.', 128),
      resetTokenSeconds: count('How long a reset token lives.', 1200),
      registrationSeconds: count('How long the link works that confirms an address.', 86_400),
    }),
    storeAccess: closed('How gated stores are entered.', {
      header: header('The header that carries the access token.', 'X-Store-Access'),
      challengeSeconds: count('How long a challenge lives.', 300),
      challengeAttemptsMax: count('Tries at a challenge.', 5),
      workGrantSeconds: count('How long a grant for work lives.', 1800),
      passwordGrantSeconds: count('How long a grant for the password of a store lives.', 43_200),
    }),
    webhooks: closed('How events are delivered.', {
      attemptDelaysSeconds: listOf(count('Seconds after the attempt before.', 5), 20, 'When each attempt is made.', {
        examples: [[0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]],
      }),
      jitterPercent: count('How far an attempt may be off.', 10),
      timeoutSeconds: count('How long we wait for an answer.', 15),
      inFlightPerEndpointMax: count('Deliveries to one endpoint at a time.', 5),
      bodyBytesMax: count('The largest event.', 20_480),
      endpointsMax: count('Endpoints of an installation.', 20),
      eventKindsPerEndpointMax: count('Kinds that an endpoint may name.', 50),
      failuresBeforeProbing: count('Failures in a row after which only a probe is sent.', 10),
      probeIntervalSeconds: count('How often it is probed.', 60),
      disabledAfterDays: count('Days of failures alone after which it is disabled.', 5),
      secretOverlapHours: count('How long the old secret signs beside the new one.', 24),
      timestampToleranceSeconds: count('How far a timestamp may be off before a receiver should refuse it.', 300),
      retentionDays: count('How long events and attempts are kept.', 30),
    }),
    capabilities: listOf(Capability, 10, 'What the service can do, and what blocks it.'),
  }),
)
export type RuntimeConfig = Static<typeof RuntimeConfig>
