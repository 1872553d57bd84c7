import { type Static, Type } from 'typebox'
import { SCOPES } from '../../../operation.ts'
import { Environment, id, none, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'OAuth'
const auth = { kind: 'operator', area: 'apps' } as const
const ClientId = id('cli', 'The id of the app.')
const GrantId = id('gra', 'The id of the grant.')
const InstallationId = id('ins', 'The id of the installation.')
const RedirectUri = text(2048, 'A redirect URI of the app.', 'https://app.example/callback')
const Coordinate = formed('^[A-Za-z0-9_-]{43}$', 43, 'A coordinate.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU')
const Installation = closed('The installation.', {
  id: InstallationId,
  name: text(120, 'Its name.', 'Web shop'),
  environment: Environment,
})

export const OperatorOAuthClient = operatorNamed(
  'OperatorOAuthClient',
  closed('An app that acts for an installation with tokens.', {
    id: ClientId,
    installation: Installation,
    authMethod: oneOf(['none', 'private_key_jwt'], '`none`: a public client, protected by PKCE and DPoP.'),
    redirectUris: listOf(RedirectUri, 20, 'The redirect URIs.'),
    keyIds: listOf(text(200, 'The id of a key.', '2026-03'), 10, 'The ids of its public keys.'),
    grantCount: integer(0, 2_147_483_647, 'Active grants.', 2),
    createdAt: Timestamp,
  }),
)
export type OperatorOAuthClient = Static<typeof OperatorOAuthClient>

export const OperatorGrant = operatorNamed(
  'OperatorGrant',
  closed('A grant: the approval of an app. Its tokens end with it.', {
    id: GrantId,
    clientId: ClientId,
    installation: Installation,
    store: Type.Optional(Slug),
    scopes: listOf(oneOf([...SCOPES], 'A scope.'), SCOPES.length, 'Its scopes.'),
    approvedBy: text(
      254,
      'The staff member or operator who approved it; `operator`: the command line.',
      'ada@example.com',
    ),
    standing: oneOf(['active', 'ended', 'revoked'], 'Whether it works.'),
    createdAt: Timestamp,
    endsAt: Timestamp,
    revokedAt: Type.Optional(leftOut(Timestamp)),
    revokedBecause: Type.Optional(
      leftOut(oneOf(['code_reused', 'refresh_reused', 'revoked'], 'The reason. The first two indicate theft.')),
    ),
  }),
)
export type OperatorGrant = Static<typeof OperatorGrant>

const PublicJwk = closed('A P-256 or Ed25519 public key.', {
  kty: oneOf(['EC', 'OKP'], 'The kind of key.'),
  crv: oneOf(['P-256', 'Ed25519'], 'The curve.'),
  x: Coordinate,
  y: Type.Optional(Coordinate),
  kid: Type.Optional(text(200, 'The key id.', '2026-03')),
  alg: Type.Optional(oneOf(['ES256', 'EdDSA', 'Ed25519'], 'The algorithm.')),
  use: Type.Optional(oneOf(['sig'], 'The use of the key.')),
})

export const oauthClientRows = {
  listOAuthClients: operatorOperation({
    method: 'GET',
    path: '/operator/v1/oauth-clients',
    tag,
    summary: 'List apps, newest first.',
    description: 'Of all installations, or of one.',
    auth,
    query: closed('Page.', { ...listQuery, installationId: Type.Optional(InstallationId) }),
    data: pageOf(OperatorOAuthClient, 'Apps, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  createOAuthClient: operatorOperation({
    method: 'POST',
    path: '/operator/v1/oauth-clients',
    tag,
    summary: 'Register an app of an installation.',
    description: 'Without keys it is a public client, protected by PKCE and DPoP.',
    auth,
    body: closed('The app.', {
      installationId: InstallationId,
      redirectUris: listOf(RedirectUri, 20, 'The redirect URIs, compared character by character.', {
        minItems: 1,
      }),
      jwks: Type.Optional(
        closed('Its public keys, as a JWK Set.', { keys: listOf(PublicJwk, 10, 'The keys.', { minItems: 1 }) }),
      ),
    }),
    data: OperatorOAuthClient,
    freshProof: 'always',
    idempotencyKey: true,
    refusals: [],
  }),
  removeOAuthClient: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/oauth-clients/{clientId}',
    tag,
    summary: 'Remove an app.',
    description: 'Ends all its grants and tokens at once, on every node. The webhooks that they created end with them.',
    auth,
    params: closed('The app.', { clientId: ClientId }),
    data: closed('The result.', {
      status: Type.Literal('removed', { description: 'Removed.' }),
      endedGrants: integer(0, 2_147_483_647, 'Active grants that ended.', 2),
    }),
    freshProof: 'always',
    refusals: ['not_found'],
  }),
  createOAuthCode: operatorOperation({
    method: 'POST',
    path: '/operator/v1/oauth-clients/{clientId}/codes',
    tag,
    summary: 'Approve an app and issue an authorization code.',
    description:
      'The operator approves in place of a member of staff. The code works once, within 60 seconds. Its grant ends when the operator is disabled or may no longer approve apps.',
    auth,
    params: closed('The app.', { clientId: ClientId }),
    body: closed('The authorization request.', {
      redirectUri: RedirectUri,
      codeChallenge: text(
        200,
        'The SHA-256 of the PKCE verifier in base64url.',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      ),
      dpopJkt: Type.Optional(
        text(
          200,
          'The thumbprint of the only key that may redeem the code.',
          'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
        ),
      ),
      scopes: Type.Optional(
        listOf(oneOf([...SCOPES], 'A scope.'), SCOPES.length, 'The scopes; all if absent.', { minItems: 1 }),
      ),
    }),
    data: closed('The code. Shown only once.', {
      code: formed('^sfac_[0-9A-Za-z]{49}$', 60, 'The code.', `sfac_${'0'.repeat(49)}`),
    }),
    freshProof: 'always',
    refusals: ['oauth_invalid_request', 'oauth_unauthorized_client', 'installation_suspended'],
  }),
  listOAuthGrants: operatorOperation({
    method: 'GET',
    path: '/operator/v1/oauth-grants',
    tag,
    summary: 'List grants, newest first.',
    description: 'Of all installations, of one, or of one app. Ended grants are listed until they are deleted.',
    auth,
    query: closed('Page.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      installationId: Type.Optional(InstallationId),
      clientId: Type.Optional(ClientId),
    }),
    data: pageOf(OperatorGrant, 'Grants, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  revokeOAuthGrant: operatorOperation({
    method: 'POST',
    path: '/operator/v1/oauth-grants/{grantId}/revoke',
    tag,
    summary: 'Revoke a grant and all its tokens.',
    description: 'Takes effect at once. Revoking again changes nothing.',
    auth,
    params: closed('The grant.', { grantId: GrantId }),
    body: none,
    data: OperatorGrant,
    refusals: ['not_found'],
  }),
}
