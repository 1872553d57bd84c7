import { timingSafeEqual } from 'node:crypto'
import { mac } from '../../platform/secrets/server-secrets.ts'
import type { AccessPurpose } from './challenge.ts'

/** What a grant depends on of its store. */
export interface StoreAccessState {
  readonly id: string
  readonly access_mode: 'open' | 'password' | 'challenge'
  /** Grows when the way in changes. */
  readonly access_version: number
}

/** Grants of access, sealed: they are stored nowhere, and any node recognises them. */
export interface StoreGrants {
  /** Mints a grant for a store and a purpose. It ends at `expiresAt`, or when the way into the store changes. */
  mint(door: StoreAccessState, purpose: AccessPurpose, expiresAt: Date): string
  /** The store that a token says it is for. Says nothing of whether it is a grant. */
  storeIdOf(token: string): string | null
  /** Whether a token is a grant for this store and purpose, now. */
  opens(token: string | null, door: StoreAccessState, purpose: AccessPurpose, now: Date): boolean
}

/** Store, purpose, the second at which it ends, and the seal. */
const GRANT = /^sfg_(store_[0-9a-z]{26})\.([a-z_]+)\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/

/** @param secret shared by all nodes */
export function storeGrants(secret: Buffer): StoreGrants {
  /** Mode and version are sealed in and do not travel: a token cannot know what the store has become since. */
  const seal = (body: string, door: StoreAccessState) =>
    mac(secret, `${body} ${door.access_mode} ${door.access_version}`)
  const bodyOf = (storeId: string, purpose: string, expiresAtSeconds: number) =>
    `sfg_${storeId}.${purpose}.${expiresAtSeconds}`

  return {
    mint(door, purpose, expiresAt) {
      const body = bodyOf(door.id, purpose, Math.floor(expiresAt.getTime() / 1000))
      return `${body}.${seal(body, door).toString('base64url')}`
    },

    storeIdOf: (token) => GRANT.exec(token)?.[1] ?? null,

    opens(token, door, purpose, now) {
      const [, storeId, granted, expiresAtSeconds, sealed] = GRANT.exec(token ?? '') ?? []
      if (storeId !== door.id || granted !== purpose || sealed === undefined) return false
      const body = bodyOf(storeId, granted, Number(expiresAtSeconds))
      if (!timingSafeEqual(Buffer.from(sealed, 'base64url'), seal(body, door))) return false
      return now.getTime() < Number(expiresAtSeconds) * 1000
    },
  }
}
