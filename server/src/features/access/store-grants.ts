import { isDerived, mac, type Secret } from '../../platform/secrets/rotating-secret.ts'
import type { AccessPurpose } from './challenge.ts'

/** The properties of a store that its grants depend on. */
export interface StoreAccessState {
  readonly id: string
  readonly access_mode: 'open' | 'password' | 'challenge'
  /** Increases with each change of the access settings. */
  readonly access_version: number
}

/** The contents of a grant. */
export interface NewGrant {
  /** The solved challenge, which makes two grants of the same second differ. */
  readonly challengeId: string
  readonly purpose: AccessPurpose
  readonly expiresAt: Date
}

/** Issues and verifies grants. Grants are sealed, not stored: any node can verify them. */
export interface StoreGrants {
  /** Issues a grant. It ends at `expiresAt`, or when the access settings of the store change. */
  mint(store: StoreAccessState, grant: NewGrant): string
  /** The store and the challenge in a token, unverified. */
  read(token: string): { readonly storeId: string; readonly challengeId: string } | null
  /** Whether a token is a valid grant for this store and purpose. */
  opens(token: string | null, store: StoreAccessState, purpose: AccessPurpose, now: Date): boolean
}

/** Store, challenge, purpose, expiry in seconds and seal. */
const GRANT = /^sfg_(store_[0-9a-z]{26})\.(chl_[0-9a-z]{26})\.([a-z_]+)\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/

/** @param secret shared by all nodes */
export function storeGrants(secret: Secret): StoreGrants {
  /** Mode and version are sealed but not sent: they must match the store's current ones. */
  const seal = (body: string, store: StoreAccessState, by = secret) =>
    mac(by, `${body} ${store.access_mode} ${store.access_version}`)

  return {
    mint(store, { challengeId, purpose, expiresAt }) {
      const body = `sfg_${store.id}.${challengeId}.${purpose}.${Math.floor(expiresAt.getTime() / 1000)}`
      return `${body}.${seal(body, store).toString('base64url')}`
    },

    read(token) {
      const [, storeId, challengeId] = GRANT.exec(token) ?? []
      return storeId === undefined || challengeId === undefined ? null : { storeId, challengeId }
    },

    opens(token, store, purpose, now) {
      const [, storeId, challengeId, granted, expiresAtSeconds, sealed] = GRANT.exec(token ?? '') ?? []
      if (storeId !== store.id || granted !== purpose || sealed === undefined) return false
      const body = `sfg_${storeId}.${challengeId}.${granted}.${Number(expiresAtSeconds)}`
      if (!isDerived(secret, Buffer.from(sealed, 'base64url'), (each) => seal(body, store, each))) return false
      return now.getTime() < Number(expiresAtSeconds) * 1000
    },
  }
}
