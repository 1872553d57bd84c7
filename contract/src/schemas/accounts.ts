import { type Static, Type } from 'typebox'
import { Email, HttpUrl, id, LocaleTag, Slug, Timestamp } from './common.ts'
import { closed, fixedOneOf, flag, formed, integer, listOf, named, oneOf, text } from './primitives.ts'
import { DocumentVersion, LegalDocumentType } from './storefront.ts'

const Password = text(128, 'A password of 8 to 128 characters.', 'correct horse battery staple', {
  minLength: 8,
  'x-refusal': 'password_too_weak',
})
const Grant = formed(
  '^[A-Za-z0-9_.-]+$',
  1024,
  'The access token of a solved challenge, if the operator requires one.',
  'sfg_store_01k5b7m2q8e9rtv3w4x5y6z7a8.chl_01k5b7m2q8e9rtv3w4x5y6z7a8.store_access.1791916800.mF_9B5f-41JqMmF_9B5f-41JqMmF_9B5f-41JqMmF_9',
)
const Name = (description: string, example: string) => text(100, description, example)

export const RegisterCustomerRequest = named(
  'RegisterCustomerRequest',
  closed('A new customer.', {
    email: Email,
    password: Password,
    firstName: Type.Optional(Name('The first name.', 'Ada')),
    lastName: Type.Optional(Name('The last name.', 'Example')),
    locale: Type.Optional(LocaleTag),
    acceptedDocuments: listOf(
      closed('An accepted document.', { type: LegalDocumentType, version: DocumentVersion }),
      20,
      'The documents the customer has accepted. All of `listLegalDocuments` that require it at registration must be listed, in their current versions.',
    ),
    marketingConsent: Type.Optional(flag('Whether the customer consents to marketing email.', false)),
    grant: Type.Optional(Grant),
  }),
)
export type RegisterCustomerRequest = Static<typeof RegisterCustomerRequest>

export const RequestPasswordResetRequest = named(
  'RequestPasswordResetRequest',
  closed("The customer's email address.", { email: Email, grant: Type.Optional(Grant) }),
)
export type RequestPasswordResetRequest = Static<typeof RequestPasswordResetRequest>

export const ConfirmPasswordResetRequest = named(
  'ConfirmPasswordResetRequest',
  closed('The new password.', {
    token: formed('^[A-Za-z0-9_-]{20,128}$', 128, 'The token from the email.', 'mF_9B5f-41JqMmF_9B5f-41JqM'),
    newPassword: Password,
  }),
)
export type ConfirmPasswordResetRequest = Static<typeof ConfirmPasswordResetRequest>

export const AcceptedStatus = named(
  'AcceptedStatus',
  closed('The request was accepted. The answer never reveals whether the address is known.', {
    status: Type.Literal('accepted', { description: 'Always `accepted`.' }),
  }),
)
export type AcceptedStatus = Static<typeof AcceptedStatus>

export const PasswordResetStatus = named(
  'PasswordResetStatus',
  closed('The password was changed.', {
    status: Type.Literal('changed', { description: 'The password was changed and every session has ended.' }),
  }),
)
export type PasswordResetStatus = Static<typeof PasswordResetStatus>

export const CHALLENGE_KINDS = ['password', 'proof_of_work'] as const
export const CHALLENGE_PURPOSES = ['store_access', 'register', 'password_reset'] as const

const Kind = oneOf(CHALLENGE_KINDS, 'The kind of challenge.')
const Purpose = oneOf(CHALLENGE_PURPOSES, 'The purpose of the grant.')
const ChallengeId = id('chl', 'The id of the challenge.')

export const StoreParams = closed('The store.', { store: Slug })

export const StoreAccessConfig = named(
  'StoreAccessConfig',
  closed('The access settings of a store.', {
    store: closed('The store.', { id: id('store', 'The id of the store.'), slug: Slug }),
    mode: oneOf(['open', 'password', 'challenge'], 'The access mode of the store.'),
    purposes: listOf(
      closed('A purpose of a challenge.', {
        purpose: Purpose,
        grantRequired: flag('Whether a grant is required now.', true),
        challengeKinds: listOf(Kind, 2, 'The accepted kinds of challenge; the first is the default.'),
        grantSeconds: integer(1, 604_800, 'The lifetime of the grant.', 1800),
      }),
      3,
      'The purposes a challenge can be created for. Without store_access if the store is open.',
    ),
    header: formed('^[A-Za-z][A-Za-z0-9-]{0,63}$', 64, 'The header that carries the access token.', 'X-Store-Access'),
    limits: closed('The limits of a challenge.', {
      challengeSeconds: integer(1, 86_400, 'The lifetime of a challenge.', 300),
      attemptsMax: integer(1, 100, 'Attempts per challenge.', 5),
    }),
  }),
)
export type StoreAccessConfig = Static<typeof StoreAccessConfig>

export const CreateChallengeRequest = named(
  'CreateChallengeRequest',
  closed('The purpose of the grant.', { kind: Type.Optional(Kind), purpose: Purpose }),
)
export type CreateChallengeRequest = Static<typeof CreateChallengeRequest>

const hex = (description: string) => formed('^[0-9a-f]+$', 512, description, '9f7a4c1e2b8d43a6a7c9941e8f2d0b3c')

export const Challenge = named(
  'Challenge',
  closed('A challenge to solve.', {
    id: ChallengeId,
    kind: Kind,
    purpose: Purpose,
    expiresAt: Timestamp,
    attemptsMax: integer(1, 100, 'Attempts left.', 5),
    proofOfWork: Type.Optional(
      closed('The proof of work, in the format of ALTCHA (version 2).', {
        parameters: closed('The proof of work.', {
          algorithm: text(40, 'The key derivation function.', 'PBKDF2/SHA-256'),
          nonce: hex('Random per challenge.'),
          salt: hex('Random per challenge.'),
          cost: integer(1, 100_000_000, 'Rounds per derivation.', 5000),
          keyLength: integer(1, 1024, 'Bytes of the derived key.', 32),
          keyPrefix: hex('The required prefix of the derived key.'),
          keySignature: hex('The signature of the expected key.'),
        }),
        signature: hex('The signature of the parameters.'),
      }),
    ),
  }),
)
export type Challenge = Static<typeof Challenge>

const EXAMPLE_SOLUTION = 'eyJzb2x1dGlvbiI6eyJjb3VudGVyIjo0MjEsImRlcml2ZWRLZXkiOiI5ZjdhNGMxZSJ9fQ=='

export const VerifyChallengeRequest = named(
  'VerifyChallengeRequest',
  closed(
    'Either the password or the solution, depending on the kind.',
    {
      challengeId: ChallengeId,
      password: Type.Optional(text(128, 'The password of the store.', 'open sesame')),
      solution: Type.Optional(
        formed(
          '^[A-Za-z0-9+/=_-]+$',
          8192,
          'The payload of the solver, in base64: { challenge, solution: { counter, derivedKey } }.',
          EXAMPLE_SOLUTION,
        ),
      ),
    },
    { examples: [{ challengeId: 'chl_01k5b7m2q8e9rtv3w4x5y6z7a8', solution: EXAMPLE_SOLUTION }] },
  ),
)
export type VerifyChallengeRequest = Static<typeof VerifyChallengeRequest>

export const StoreAccessGrant = named(
  'StoreAccessGrant',
  closed('The access token of a store.', { accessToken: Grant, purpose: Purpose, expiresAt: Timestamp }),
)
export type StoreAccessGrant = Static<typeof StoreAccessGrant>

const CodeChallenge = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The S256 code challenge, RFC 7636.',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
)
const State = formed('^[\\x20-\\x7e]+$', 512, 'Returned unchanged.', 'af0ifjsldkj')
const LoginSession = id('hls', 'The login session.')

export const InitiateHostedLoginRequest = named(
  'InitiateHostedLoginRequest',
  closed('The return URL of the shopper, bound to a PKCE challenge.', {
    returnUrl: HttpUrl,
    state: State,
    codeChallenge: CodeChallenge,
    codeChallengeMethod: Type.Literal('S256', { description: 'The PKCE method.' }),
    locale: Type.Optional(LocaleTag),
    prompt: Type.Optional(oneOf(['login', 'register'], 'The page to open first.')),
  }),
)
export type InitiateHostedLoginRequest = Static<typeof InitiateHostedLoginRequest>

export const HostedLogin = named(
  'HostedLogin',
  closed('The login page for the shopper.', { loginSession: LoginSession, loginUrl: HttpUrl, expiresAt: Timestamp }),
)
export type HostedLogin = Static<typeof HostedLogin>

export const ConsumeHostedLoginReturnRequest = named(
  'ConsumeHostedLoginReturnRequest',
  closed('The parameters of the return URL, with the verifier.', {
    loginSession: LoginSession,
    code: formed('^[A-Za-z0-9_-]+$', 256, 'The code.', 'SplxlOBeZQQYbYS6WxSbIA'),
    state: State,
    codeVerifier: formed(
      '^[A-Za-z0-9._~-]{43,128}$',
      128,
      'The code verifier, RFC 7636.',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    ),
  }),
)
export type ConsumeHostedLoginReturnRequest = Static<typeof ConsumeHostedLoginReturnRequest>

export const HostedLoginResult = named(
  'HostedLoginResult',
  closed('The signed-in customer and a token for creating carts.', {
    customer: closed('The customer.', {
      id: id('cus', 'The id of the customer.'),
      email: Email,
      firstName: Type.Optional(Name('The first name.', 'Ada')),
      lastName: Type.Optional(Name('The last name.', 'Example')),
      locale: Type.Optional(LocaleTag),
    }),
    customerToken: Type.Optional(
      formed('^[A-Za-z0-9_.-]+$', 512, 'For createPublicCart. Shown once.', 'cut_9f8e7d6c5b4a'),
    ),
    customerTokenState: fixedOneOf(
      ['shown', 'already_shown'],
      '`already_shown`: this answer is a replay, and secrets are not stored.',
    ),
    expiresAt: Timestamp,
  }),
)
export type HostedLoginResult = Static<typeof HostedLoginResult>
export { CodeChallenge, State }
