import { type Static, Type } from 'typebox'
import { Environment, id, Slug, scopeList, Timestamp, Word } from './common.ts'
import { closed, fixedOneOf, flag, formed, leftOut, listOf, named, oneOf, text } from './primitives.ts'

const Thumbprint = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The thumbprint of the bound key, RFC 7638.',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
)
const InstallationId = id('ins', 'The id of the installation.')
const Store = closed('The store of the installation. Absent: the whole marketplace.', {
  id: id('store', 'The id of the store.'),
  slug: Slug,
})
const Name = text(120, 'The name of the installation.', 'My shop')

export const ApiKeyIdentity = named(
  'ApiKeyIdentity',
  closed('The API key of the request, or the access token used instead.', {
    keyId: formed(
      '^(key|tok)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
      30,
      'The id of the key, or of the access token.',
      'key_01k5b7m2q8e9rtv3w4x5y6z7a8',
    ),
    display: formed(
      '^sf(k_(test|live)|at)_[0-9A-Za-z]{2,8}…[0-9A-Za-z]{2,8}$',
      32,
      'The key, mostly masked.',
      'sfk_live_Ab12…wXyZ',
    ),
    installation: closed('The installation of the key.', { id: InstallationId, name: Name }),
    store: Type.Optional(Store),
    environment: Environment,
    scopes: scopeList,
    senderConstrained: flag('Whether it is bound to a key, so that it may write.'),
    jkt: Type.Optional(Thumbprint),
    createdAt: Timestamp,
    expiresAt: Type.Optional(Timestamp),
    lastUsedAt: Type.Optional(Timestamp),
  }),
)
export type ApiKeyIdentity = Static<typeof ApiKeyIdentity>

export const InstallationIdentity = named(
  'InstallationIdentity',
  closed('The installation and the credential of the request.', {
    installationId: InstallationId,
    name: Name,
    status: oneOf(['active', 'suspended'], 'Whether the installation is active.'),
    environment: Environment,
    store: Type.Optional(Store),
    credential: closed('The credential of the request.', {
      type: oneOf(['api_key', 'access_token'], 'The type of the credential.'),
      senderConstrained: flag('Whether it is bound to a key, so that it may write.'),
      jkt: Type.Optional(Thumbprint),
      expiresAt: Type.Optional(Timestamp),
    }),
    scopes: scopeList,
  }),
)
export type InstallationIdentity = Static<typeof InstallationIdentity>

const CAPABILITIES = ['installation_write', 'final_order_creation', 'production_activation'] as const
const BLOCKERS = [
  'sender_constrained_credential_required',
  'reviewed_public_contract_required',
  'external_readiness_not_proven',
] as const

export const Capability = named(
  'Capability',
  closed('A capability of the service, or its blocker.', {
    id: oneOf(CAPABILITIES, 'The capability.'),
    available: flag('Whether it is available.'),
    blocker: Type.Optional(leftOut(oneOf(BLOCKERS, 'What blocks it.'))),
  }),
)
export type Capability = Static<typeof Capability>

export const Readiness = named(
  'Readiness',
  closed('The capabilities of the installation and what blocks them.', {
    status: fixedOneOf(['ready', 'not_ready'], 'Whether the installation is ready.'),
    checks: listOf(
      closed('A readiness check.', {
        code: Word,
        status: fixedOneOf(['pass', 'fail', 'blocked'], 'The result of the check.'),
        reason: Type.Optional(leftOut(Word)),
        remedy: Type.Optional(text(500, 'The remedy.', 'Bind a key to the credential.')),
      }),
      50,
      'The checks.',
    ),
    capabilities: listOf(Capability, 10, 'The capabilities.'),
  }),
)
export type Readiness = Static<typeof Readiness>
