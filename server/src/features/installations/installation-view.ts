import type { ApiKeyIdentity, InstallationIdentity, Readiness } from '@vitrine/contract'
import type { Principal } from '../../platform/http/handler.ts'
import type { InstallationRow, KeyRow } from './installation-store.ts'
import type { Readiness as ReadinessFacts } from './readiness.ts'

function storeOf({ store_id, store_slug }: InstallationRow): { store?: { id: string; slug: string } } {
  return store_id !== null && store_slug !== null ? { store: { id: store_id, slug: store_slug } } : {}
}

/** @see CONTRACT, Resources: ApiKeyIdentity */
export function viewApiKeyIdentity(key: KeyRow, installation: InstallationRow): ApiKeyIdentity {
  return {
    keyId: key.id,
    display: key.display,
    installation: { id: installation.id, name: installation.name },
    ...storeOf(installation),
    environment: installation.environment,
    scopes: key.scopes,
    senderConstrained: key.jkt !== null,
    ...(key.jkt !== null && { jkt: key.jkt }),
    createdAt: key.created_at.toISOString(),
    ...(key.expires_at && { expiresAt: key.expires_at.toISOString() }),
    ...(key.last_used_at && { lastUsedAt: key.last_used_at.toISOString() }),
  }
}

/** @see CONTRACT, Resources: InstallationIdentity */
export function viewInstallationIdentity(installation: InstallationRow, principal: Principal): InstallationIdentity {
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

/** @see CONTRACT, Resources: Readiness */
export function viewReadiness(readiness: ReadinessFacts): Readiness {
  return {
    status: readiness.status,
    checks: readiness.checks.map((check) => ({ ...check })),
    capabilities: readiness.capabilities.map((capability) => ({ ...capability })),
  } as Readiness
}
