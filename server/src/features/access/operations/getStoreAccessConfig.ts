import { limits, type operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { type AccessPurpose, grantSecondsFor, kindsFor } from '../challenge.ts'
import { STORES } from '../settings.ts'
import { loadStoreAccess, type StoreAccess } from '../store.ts'

const { header, challengeSeconds, challengeAttemptsMax } = limits.storeAccess
const PURPOSES: readonly AccessPurpose[] = ['store_access', 'register', 'password_reset']

/** GET /api/v1/public/store-access/{store}/config */
export const getStoreAccessConfig: Handler<typeof operations.getStoreAccessConfig> = async (
  { params },
  { reader, dependsOn },
) => {
  dependsOn(STORES)
  const store = await loadStoreAccess(reader, params.store)
  return {
    store: { id: store.id, slug: store.slug },
    mode: store.access_mode,
    purposes: PURPOSES.flatMap((purpose) => presentPurpose(store, purpose)),
    header,
    limits: { challengeSeconds, attemptsMax: challengeAttemptsMax },
  }
}

function presentPurpose(store: StoreAccess, purpose: AccessPurpose) {
  const challengeKinds = [...kindsFor(store.access_mode, purpose)]
  const [first] = challengeKinds
  if (!first) return []
  const grantRequired = purpose === 'store_access' || store.grant_purposes.includes(purpose)
  return [{ purpose, grantRequired, challengeKinds, grantSeconds: grantSecondsFor(first) }]
}
