import { type Static, Type } from 'typebox'
import { CodeChallenge, State } from './accounts.ts'
import { HttpUrl, Timestamp } from './common.ts'
import { closed, formed, integer, listOf, named, oneOf, text } from './primitives.ts'

const ClientId = formed('^[A-Za-z0-9_.~:/-]+$', 200, 'The id of the client.', 'cli_9f8e7d6c5b4a')
const RedirectUri = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'Must match exactly.',
  examples: ['https://app.example/callback'],
})
const ScopeText = formed(
  '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
  500,
  'Scopes, separated by spaces.',
  'catalog:read checkout:quote',
)
const Thumbprint = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The thumbprint of the DPoP key, RFC 7638.',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
)
const Resource = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'The resource, RFC 8707.',
  examples: ['https://shop.example'],
})
const Assertion = formed('^[A-Za-z0-9_.-]+$', 8192, 'A client assertion, RFC 7523.', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln')
const AssertionType = text(100, 'The type of the assertion.', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
const words = (description: string, example: string) => listOf(text(100, 'A word.', example), 20, description)
const Token = (description: string, example: string) => formed('^[A-Za-z0-9_.-]+$', 2048, description, example)

const ResponseType = text(40, 'Only `code`.', 'code')
const ChallengeMethod = text(20, 'Only `S256`.', 'S256')

/** "The authorization server MUST ignore unrecognized request parameters." @see RFC 6749 §3.1 and 3.2 */
const open = { additionalProperties: true } as const

/** The parameters of RFC 6749. The handler validates values, since RFC 6749 defines its own error codes. */
export const AuthorizationQuery = closed(
  'The authorization request, or nothing.',
  {
    response_type: Type.Optional(ResponseType),
    client_id: Type.Optional(ClientId),
    redirect_uri: Type.Optional(RedirectUri),
    scope: Type.Optional(ScopeText),
    state: Type.Optional(State),
    code_challenge: Type.Optional(text(128, 'The PKCE challenge.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')),
    code_challenge_method: Type.Optional(ChallengeMethod),
    dpop_jkt: Type.Optional(
      text(128, 'The thumbprint of the DPoP key.', 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'),
    ),
    resource: Type.Optional(Resource),
    prompt: Type.Optional(text(40, 'The initial page.', 'consent')),
  },
  open,
)

export const AuthorizationDescription = named(
  'AuthorizationDescription',
  closed('The server, and the authorization request if one was sent. Nothing has been granted.', {
    server: closed('The server metadata of RFC 8414.', {
      issuer: HttpUrl,
      authorizationEndpoint: HttpUrl,
      tokenEndpoint: HttpUrl,
      revocationEndpoint: HttpUrl,
      scopesSupported: words('The scopes.', 'catalog:read'),
      responseTypesSupported: words('The supported response types.', 'code'),
      grantTypesSupported: words('The supported grant types.', 'authorization_code'),
      codeChallengeMethodsSupported: words('The supported PKCE methods.', 'S256'),
      tokenEndpointAuthMethodsSupported: words('The client authentication methods.', 'none'),
      tokenEndpointAuthSigningAlgValuesSupported: words('The algorithms for client assertions.', 'ES256'),
      dpopSigningAlgValuesSupported: words('The algorithms for DPoP proofs.', 'ES256'),
      authorizationResponseIssParameterSupported: Type.Literal(true, { description: 'RFC 9207.' }),
    }),
    request: Type.Optional(
      closed('The validated request.', {
        clientId: ClientId,
        clientName: text(120, 'The name of the client.', 'My app'),
        redirectUri: RedirectUri,
        responseType: Type.Literal('code', { description: 'A code.' }),
        scopes: listOf(
          oneOf(['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'], 'A scope.'),
          4,
          'The requested scopes.',
        ),
        state: Type.Optional(State),
        codeChallenge: CodeChallenge,
        codeChallengeMethod: Type.Literal('S256', { description: 'The PKCE method.' }),
        dpopJkt: Type.Optional(Thumbprint),
      }),
    ),
    interaction: Type.Optional(
      closed('The consent page for store staff.', {
        url: Type.String({
          format: 'uri',
          pattern: '^https?://',
          maxLength: 8192,
          description: 'The consent page.',
          examples: ['https://pages.example/consent?request=eyJhbGciOiJkaXIifQ'],
        }),
        expiresAt: Timestamp,
      }),
    ),
  }),
)
export type AuthorizationDescription = Static<typeof AuthorizationDescription>

const client = {
  client_id: Type.Optional(ClientId),
  client_assertion: Type.Optional(Assertion),
  client_assertion_type: Type.Optional(AssertionType),
}

export const OAuthTokenRequest = named(
  'OAuthTokenRequest',
  closed(
    'The token request of RFC 6749, as JSON or as a form.',
    {
      grant_type: text(100, '`authorization_code` or `refresh_token`.', 'authorization_code', {
        examples: ['authorization_code', 'refresh_token'],
      }),
      code: Type.Optional(Token('The code.', 'SplxlOBeZQQYbYS6WxSbIA')),
      redirect_uri: Type.Optional(RedirectUri),
      code_verifier: Type.Optional(text(256, 'The PKCE verifier.', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')),
      refresh_token: Type.Optional(Token('The refresh token.', 'sfrt_9f8e7d6c5b4a')),
      scope: Type.Optional(ScopeText),
      resource: Type.Optional(Resource),
      ...client,
    },
    {
      ...open,
      examples: [
        {
          grant_type: 'authorization_code',
          code: 'SplxlOBeZQQYbYS6WxSbIA',
          redirect_uri: 'https://app.example/callback',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          client_id: 'cli_9f8e7d6c5b4a',
        },
      ],
    },
  ),
)
export type OAuthTokenRequest = Static<typeof OAuthTokenRequest>

export const OAuthTokenGrant = named(
  'OAuthTokenGrant',
  closed('Tokens that are bound to the key of the DPoP proof.', {
    access_token: Token('The access token.', 'sfat_9f8e7d6c5b4a'),
    token_type: Type.Literal('DPoP', { description: 'RFC 9449.' }),
    expires_in: integer(1, 86_400, 'Seconds.', 600),
    refresh_token: Type.Optional(Token('The refresh token.', 'sfrt_9f8e7d6c5b4a')),
    scope: ScopeText,
  }),
)
export type OAuthTokenGrant = Static<typeof OAuthTokenGrant>

export const OAuthRevocationRequest = named(
  'OAuthRevocationRequest',
  closed(
    'The revocation request of RFC 7009, as JSON or as a form.',
    {
      token: Token('The token.', 'sfrt_9f8e7d6c5b4a'),
      token_type_hint: Type.Optional(
        text(40, '`access_token` or `refresh_token`.', 'refresh_token', {
          examples: ['refresh_token', 'access_token'],
        }),
      ),
      ...client,
    },
    open,
  ),
)
export type OAuthRevocationRequest = Static<typeof OAuthRevocationRequest>

export const OAuthRevocation = named(
  'OAuthRevocation',
  closed('The token no longer works, whether or not it ever did.', {
    revoked: Type.Literal(true, { description: 'Always.' }),
  }),
)
export type OAuthRevocation = Static<typeof OAuthRevocation>
