import { type Static, Type } from 'typebox'
import { Email, HttpUrl, id, LocaleTag, Slug, Timestamp } from './common.ts'
import { closed, flag, formed, integer, listOf, named, oneOf, text } from './primitives.ts'
import { DocumentVersion, LegalDocumentType } from './storefront.ts'

const Password = text(128, 'A password of 8 to 128 characters.', 'correct horse battery staple', {
  minLength: 8,
  'x-refusal': 'password_too_weak',
})
const Grant = formed(
  '^[A-Za-z0-9_.-]+$',
  1024,
  'The access token of a solved challenge, where the operator requires one.',
  'sfg_store_01k5b7m2q8e9rtv3w4x5y6z7a8.store_access.1791916800.mF_9B5f-41JqMmF_9B5f-41JqMmF_9B5f-41JqMmF_9',
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
      closed('A document that the customer has accepted.', { type: LegalDocumentType, version: DocumentVersion }),
      20,
      'What the customer has accepted.',
    ),
    marketingConsent: Type.Optional(flag('Whether the customer wants to be written to.', false)),
    grant: Type.Optional(Grant),
  }),
)
export type RegisterCustomerRequest = Static<typeof RegisterCustomerRequest>

export const RequestPasswordResetRequest = named(
  'RequestPasswordResetRequest',
  closed('Whose password.', { email: Email, grant: Type.Optional(Grant) }),
)
export type RequestPasswordResetRequest = Static<typeof RequestPasswordResetRequest>

export const ConfirmPasswordResetRequest = named(
  'ConfirmPasswordResetRequest',
  closed('The new password.', {
    token: formed('^[A-Za-z0-9_-]{20,128}$', 128, 'The token of the message.', 'mF_9B5f-41JqMmF_9B5f-41JqM'),
    newPassword: Password,
  }),
)
export type ConfirmPasswordResetRequest = Static<typeof ConfirmPasswordResetRequest>

export const AcceptedStatus = named(
  'AcceptedStatus',
  closed('The request was taken. Never tells whether the address is known.', {
    status: Type.Literal('accepted', { description: 'It was taken.' }),
  }),
)
export type AcceptedStatus = Static<typeof AcceptedStatus>

export const PasswordResetStatus = named(
  'PasswordResetStatus',
  closed('The password was changed.', {
    status: Type.Literal('changed', { description: 'It was changed; every session has ended.' }),
  }),
)
export type PasswordResetStatus = Static<typeof PasswordResetStatus>

export const CHALLENGE_KINDS = ['password', 'proof_of_work'] as const
export const CHALLENGE_PURPOSES = ['store_access', 'register', 'password_reset'] as const

const Kind = oneOf(CHALLENGE_KINDS, 'How it is solved.')
const Purpose = oneOf(CHALLENGE_PURPOSES, 'What the grant will be for.')
const ChallengeId = id('chl', 'The id of the challenge.')

export const StoreParams = closed('The store.', { store: Slug })

export const StoreAccessConfig = named(
  'StoreAccessConfig',
  closed('How the store is entered.', {
    store: closed('The store.', { id: id('store', 'The id of the store.'), slug: Slug }),
    mode: oneOf(['open', 'password', 'challenge'], 'Whether anybody may look.'),
    purposes: listOf(
      closed('What a challenge can be had for.', {
        purpose: Purpose,
        grantRequired: flag('Whether it needs a grant now.', true),
        challengeKinds: listOf(Kind, 2, 'How a grant is had; the first is given where none is named.'),
        grantSeconds: integer(1, 604_800, 'How long such a grant lives.', 1800),
      }),
      3,
      'What challenges can be had for. No store_access where the store is open.',
    ),
    header: formed('^[A-Za-z][A-Za-z0-9-]{0,63}$', 64, 'The header that carries the access token.', 'X-Store-Access'),
    limits: closed('How long and how often.', {
      challengeSeconds: integer(1, 86_400, 'How long a challenge lives.', 300),
      attemptsMax: integer(1, 100, 'Tries at a challenge.', 5),
    }),
  }),
)
export type StoreAccessConfig = Static<typeof StoreAccessConfig>

export const CreateChallengeRequest = named(
  'CreateChallengeRequest',
  closed('What the grant shall be for.', { kind: Type.Optional(Kind), purpose: Purpose }),
)
export type CreateChallengeRequest = Static<typeof CreateChallengeRequest>

const hex = (description: string) => formed('^[0-9a-f]+$', 512, description, '9f7a4c1e2b8d43a6a7c9941e8f2d0b3c')

export const Challenge = named(
  'Challenge',
  closed('Something to solve.', {
    id: ChallengeId,
    kind: Kind,
    purpose: Purpose,
    expiresAt: Timestamp,
    attemptsMax: integer(1, 100, 'How often it may be tried.', 5),
    proofOfWork: Type.Optional(
      closed('The work to do, as ALTCHA has it (version 2).', {
        parameters: closed('The work.', {
          algorithm: text(40, 'The key derivation.', 'PBKDF2/SHA-256'),
          nonce: hex('Random, for each challenge.'),
          salt: hex('Random, for each challenge.'),
          cost: integer(1, 100_000_000, 'Rounds of each derivation.', 5000),
          keyLength: integer(1, 1024, 'Bytes of the derived key.', 32),
          keyPrefix: hex('How the derived key must begin.'),
          keySignature: hex('Signs the key that is looked for.'),
        }),
        signature: hex('Signs the parameters.'),
      }),
    ),
  }),
)
export type Challenge = Static<typeof Challenge>

const EXAMPLE_SOLUTION = 'eyJzb2x1dGlvbiI6eyJjb3VudGVyIjo0MjEsImRlcml2ZWRLZXkiOiI5ZjdhNGMxZSJ9fQ=='

export const VerifyChallengeRequest = named(
  'VerifyChallengeRequest',
  closed(
    'Either the password or the solution, as the kind asks.',
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
  closed('What opens the store.', { accessToken: Grant, purpose: Purpose, expiresAt: Timestamp }),
)
export type StoreAccessGrant = Static<typeof StoreAccessGrant>

const CodeChallenge = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The S256 challenge, RFC 7636.',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
)
const State = formed('^[\\x20-\\x7e]+$', 512, 'Given back as it is.', 'af0ifjsldkj')
const LoginSession = id('hls', 'The login session.')

export const InitiateHostedLoginRequest = named(
  'InitiateHostedLoginRequest',
  closed('Where the shopper comes back to, bound to a PKCE challenge.', {
    returnUrl: HttpUrl,
    state: State,
    codeChallenge: CodeChallenge,
    codeChallengeMethod: Type.Literal('S256', { description: 'The method of PKCE.' }),
    locale: Type.Optional(LocaleTag),
    prompt: Type.Optional(oneOf(['login', 'register'], 'Which page opens first.')),
  }),
)
export type InitiateHostedLoginRequest = Static<typeof InitiateHostedLoginRequest>

export const HostedLogin = named(
  'HostedLogin',
  closed('Where to send the shopper.', { loginSession: LoginSession, loginUrl: HttpUrl, expiresAt: Timestamp }),
)
export type HostedLogin = Static<typeof HostedLogin>

export const ConsumeHostedLoginReturnRequest = named(
  'ConsumeHostedLoginReturnRequest',
  closed('What came back in the URL, with the verifier.', {
    loginSession: LoginSession,
    code: formed('^[A-Za-z0-9_-]+$', 256, 'The code.', 'SplxlOBeZQQYbYS6WxSbIA'),
    state: State,
    codeVerifier: formed(
      '^[A-Za-z0-9._~-]{43,128}$',
      128,
      'The verifier, RFC 7636.',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    ),
  }),
)
export type ConsumeHostedLoginReturnRequest = Static<typeof ConsumeHostedLoginReturnRequest>

export const HostedLoginResult = named(
  'HostedLoginResult',
  closed('Who has logged in, and a token that a cart may be created with.', {
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
    customerTokenState: oneOf(
      ['shown', 'already_shown'],
      '`already_shown`: this answer is given again, and secrets are not kept in the clear.',
    ),
    expiresAt: Timestamp,
  }),
)
export type HostedLoginResult = Static<typeof HostedLoginResult>
export { CodeChallenge, State }
