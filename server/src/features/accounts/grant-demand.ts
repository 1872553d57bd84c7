import type { Reader } from '../../platform/postgres/reader.ts'

/**
 * Refuses `store_access_required` where the operator asks for a solved challenge and none is shown. How grants are made
 * and recognised is the business of store access, which ranks above accounts and is handed in.
 */
export type DemandGrant = (
  reader: Reader,
  asked: {
    readonly purpose: 'register' | 'password_reset'
    readonly token: string | null
    readonly now: Date
  },
) => Promise<void>
