import type { ApiKeyIdentity, InstallationIdentity, Readiness } from '@vitrine/contract'
import type { Principal } from '../../platform/http/handler.ts'
import type { ReadinessResult } from './readiness.ts'
import type { InstallationRow } from './store.ts'

function storeOf({ store_id, store_slug }: InstallationRow): { store?: { id: string; slug: string } } {
  return store_id !== null && store_slug !== null ? { store: { id: store_id, slug: store_slug } } : {}
}

/** @see docs/reference/rules.md#resources */
export function presentApiKeyIdentity(
  { credential, scopes, jkt }: Principal,
  installation: InstallationRow,
  lastUsedAt: Date | null,
): ApiKeyIdentity {
  return {
    keyId: credential.id,
    display: credential.display,
    installation: { id: installation.id, name: installation.name },
    ...storeOf(installation),
    environment: installation.environment,
    scopes: [...scopes],
    senderConstrained: jkt !== null,
    ...(jkt !== null && { jkt }),
    createdAt: credential.createdAt.toISOString(),
    ...(credential.expiresAt && { expiresAt: credential.expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  }
}

/** @see docs/reference/rules.md#resources */
export function presentInstallationIdentity(installation: InstallationRow, principal: Principal): InstallationIdentity {
  const { type, expiresAt } = principal.credential
  return {
    installationId: installation.id,
    name: installation.name,
    status: installation.status,
    environment: installation.environment,
    ...storeOf(installation),
    credential: {
      type,
      senderConstrained: principal.senderConstrained,
      ...(principal.jkt !== null && { jkt: principal.jkt }),
      ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    },
    scopes: [...principal.scopes],
  }
}

/** @see docs/reference/rules.md#readiness */
export function presentReadiness(readiness: ReadinessResult): Readiness {
  return {
    status: readiness.status,
    checks: readiness.checks.map((check) => ({ ...check })),
    capabilities: readiness.capabilities.map((capability) => ({ ...capability })),
  } as Readiness
}
