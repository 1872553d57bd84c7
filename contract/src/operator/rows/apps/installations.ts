import { type Static, Type } from 'typebox'
import { SCOPES } from '../../../operation.ts'
import { Environment, HttpUrl, id, none, Slug, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, fixedOneOf, flag, formed, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Installations'
const auth = { kind: 'operator', area: 'apps' } as const
const InstallationId = id('ins', 'The id of the installation.')
const KeyId = id('key', 'The id of the key.')
const Name = text(120, 'Its name.', 'Web shop')
const Origin = formed('^https?://[^/\\s]+$', 300, 'An origin whose scripts may call.', 'https://shop.example')
const Scopes = listOf(oneOf([...SCOPES], 'A scope.'), SCOPES.length, 'Its scopes.', { minItems: 1 })
const Thumbprint = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The thumbprint of the public key that it is bound to.',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
)

export const OperatorInstallation = operatorNamed(
  'OperatorInstallation',
  closed('A client: a shop, an app or an agent.', {
    id: InstallationId,
    name: Name,
    status: oneOf(['active', 'suspended'], 'Whether its credentials are accepted.'),
    environment: Environment,
    store: Type.Optional(
      closed('Its store; absent for the whole marketplace.', { id: id('store', 'The id.'), slug: Slug }),
    ),
    origins: listOf(Origin, 20, 'Origins whose scripts may call.'),
    returnUrls: listOf(HttpUrl, 50, 'The allowed return URLs.'),
    keyCount: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Active keys.', examples: [2] }),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorInstallation = Static<typeof OperatorInstallation>

export const OperatorKey = operatorNamed(
  'OperatorKey',
  closed('An API key in the view of the operator, without the key itself.', {
    id: KeyId,
    display: text(64, 'The key, mostly masked.', 'sfk_live_Ab12…wXyZ'),
    scopes: Scopes,
    standing: oneOf(['active', 'expiring', 'expired', 'revoked'], 'Whether it works.'),
    jkt: Type.Optional(leftOut(Thumbprint)),
    createdAt: Timestamp,
    expiresAt: Type.Optional(leftOut(Timestamp)),
    revokedAt: Type.Optional(leftOut(Timestamp)),
    lastUsedAt: Type.Optional(leftOut(Timestamp)),
    replacedBy: Type.Optional(leftOut(KeyId)),
  }),
)
export type OperatorKey = Static<typeof OperatorKey>

const PublicJwk = closed(
  'The public key of the key pair that it is bound to. The private key never leaves its owner.',
  {
    kty: oneOf(['EC', 'OKP'], 'The kind of key.'),
    crv: oneOf(['P-256', 'Ed25519'], 'The curve.'),
    x: formed('^[A-Za-z0-9_-]{43}$', 43, 'The first coordinate.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
    y: Type.Optional(
      formed('^[A-Za-z0-9_-]{43}$', 43, 'The second coordinate.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
    ),
  },
)

const shownKey = closed('The key. Shown only once.', {
  key: formed(
    '^sfk_(test|live)_[0-9A-Za-z]{49}$',
    60,
    'The key.',
    'sfk_test_0000000000000000000000000000000000000000000000000',
  ),
  keyId: KeyId,
  jkt: Type.Optional(leftOut(Thumbprint)),
})

const createdKey = closed('The key. Shown only once.', {
  ...shownKey.properties,
  key: Type.Optional(leftOut(shownKey.properties.key)),
  keyState: fixedOneOf(
    ['shown', 'already_shown'],
    '`already_shown`: this answer is a replay, and keys are not stored.',
  ),
})

const rotatedKey = closed('The key. Shown only once.', { ...shownKey.properties, oldKeyExpiresAt: Timestamp })

const Proof = closed('A proof that must be recorded before live keys work.', {
  code: formed('^[a-z][a-z0-9_]{0,63}$', 64, 'Its name.', 'backup_restored'),
  remedy: text(300, 'How to obtain the proof.', 'Restore a backup on another machine.'),
  recorded: flag('Whether an operator has recorded it.'),
})

const params = closed('The installation.', { installationId: InstallationId })
const keyParams = closed('The key.', { installationId: InstallationId, keyId: KeyId })

export const installationRows = {
  listInstallations: operatorOperation({
    method: 'GET',
    path: '/operator/v1/installations',
    tag,
    summary: 'List installations, newest first.',
    description: 'With the number of active keys per installation.',
    auth,
    query: closed('Page.', listQuery),
    data: pageOf(OperatorInstallation, 'Installations, the newest first.'),
    refusals: ['invalid_cursor'],
  }),
  createInstallation: operatorOperation({
    method: 'POST',
    path: '/operator/v1/installations',
    tag,
    summary: 'Register an installation.',
    description: 'For one store or the whole marketplace. Its environment cannot be changed.',
    auth,
    body: closed('The new installation.', {
      name: Name,
      environment: Environment,
      storeSlug: Type.Optional(Slug),
      origins: Type.Optional(listOf(Origin, 20, 'Origins whose scripts may call.')),
      returnUrls: Type.Optional(listOf(HttpUrl, 50, 'The allowed return URLs.')),
    }),
    data: OperatorInstallation,
    idempotencyKey: true,
    refusals: [],
  }),
  getInstallation: operatorOperation({
    method: 'GET',
    path: '/operator/v1/installations/{installationId}',
    tag,
    summary: 'Get an installation.',
    description: 'With its origins and return URLs.',
    auth,
    params,
    data: OperatorInstallation,
    refusals: ['not_found'],
  }),
  updateInstallation: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/installations/{installationId}',
    tag,
    summary: 'Update an installation.',
    description:
      'Partial update. All credentials of a suspended installation are rejected at once, and its webhook endpoints receive nothing: waiting deliveries are canceled.',
    auth,
    params,
    body: closed(
      'Fields to update.',
      {
        name: Type.Optional(Name),
        status: Type.Optional(oneOf(['active', 'suspended'], 'Whether its credentials are accepted.')),
        origins: Type.Optional(listOf(Origin, 20, 'Origins whose scripts may call.')),
        returnUrls: Type.Optional(listOf(HttpUrl, 50, 'The allowed return URLs.')),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorInstallation,
    refusals: ['not_found', 'version_conflict'],
  }),
  listInstallationKeys: operatorOperation({
    method: 'GET',
    path: '/operator/v1/installations/{installationId}/keys',
    tag,
    summary: 'List the keys of an installation.',
    description: 'Including revoked and expired keys.',
    auth,
    params,
    data: closed('The keys, oldest first.', { items: listOf(OperatorKey, 10_000, 'The keys.') }),
    refusals: ['not_found'],
  }),
  getKey: operatorOperation({
    method: 'GET',
    path: '/operator/v1/keys/{keyId}',
    tag,
    summary: 'Get an API key.',
    description: 'With the installation it belongs to.',
    auth,
    params: closed('The key.', { keyId: KeyId }),
    data: closed('The key and its installation.', { key: OperatorKey, installationId: InstallationId }),
    refusals: ['not_found'],
  }),
  createInstallationKey: operatorOperation({
    method: 'POST',
    path: '/operator/v1/installations/{installationId}/keys',
    tag,
    summary: 'Create an API key.',
    description: 'It is shown only once. Without a public key it is not bound to a key pair, and read-only.',
    auth,
    params,
    body: closed('The new key.', {
      scopes: Scopes,
      publicKey: Type.Optional(PublicJwk),
      expiresAt: Type.Optional(Timestamp),
    }),
    data: createdKey,
    freshProof: 'always',
    idempotencyKey: true,
    secrets: { key: 'keyState' },
    refusals: ['not_found'],
  }),
  rotateInstallationKey: operatorOperation({
    method: 'POST',
    path: '/operator/v1/installations/{installationId}/keys/{keyId}/rotate',
    tag,
    summary: 'Rotate an API key.',
    description: 'The old key works for 24 more hours. The new key is shown only once.',
    auth,
    params: keyParams,
    body: closed('The successor.', { publicKey: Type.Optional(PublicJwk) }),
    data: rotatedKey,
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
  revokeInstallationKey: operatorOperation({
    method: 'POST',
    path: '/operator/v1/installations/{installationId}/keys/{keyId}/revoke',
    tag,
    summary: 'Revoke an API key.',
    description: 'Takes effect at once. Revoking again changes nothing.',
    auth,
    params: keyParams,
    body: none,
    data: closed('The revoked key.', { keyId: KeyId, revokedAt: Timestamp }),
    refusals: ['not_found'],
  }),
  listReadinessProofs: operatorOperation({
    method: 'GET',
    path: '/operator/v1/readiness-proofs',
    tag,
    summary: 'List readiness proofs.',
    description: 'Evidence that only an operator can see, required for live keys.',
    auth,
    data: closed('The proofs.', {
      items: listOf(Proof, 50, 'The proofs.'),
      activated: flag('Whether live keys work.'),
    }),
    refusals: [],
  }),
  recordReadinessProof: operatorOperation({
    method: 'POST',
    path: '/operator/v1/readiness-proofs',
    tag,
    summary: 'Record a readiness proof.',
    description:
      'Live keys work once all proofs are recorded. For `payment_provider_live`, the providers are checked first: an invalid key or a missing permission is named, and nothing is recorded.',
    auth,
    body: closed('The evidence.', {
      // Any text: an unknown one is refused with the names of all proofs.
      code: text(64, 'Its name.', 'backup_restored'),
      note: text(500, 'The evidence.', 'Restored on 3 May.'),
    }),
    data: Proof,
    ownTransactions: true,
    freshProof: 'always',
    refusals: [],
  }),
}
