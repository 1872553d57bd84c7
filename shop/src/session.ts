import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { PendingLogin } from '@vitrine/sdk'

/** The session of one browser. */
export interface Session {
  cartId?: string
  /** Units in the cart, for the header of every page. */
  units?: number
  /** Chosen in the footer. */
  market?: { readonly currency: string; readonly country: string }
  customer?: { readonly id: string; readonly name: string }
  customerToken?: { readonly value: string; readonly expiresAt: string }
  /** A sign-in that is in progress. */
  login?: PendingLogin & { readonly back: string }
  /** Orders that were placed in this browser, for guests. */
  orderIds: string[]
  /** Checkouts that wait for a payment, such as a bank transfer, while the visitor has another cart. */
  paying?: string[]
  /** Access tokens of password-protected stores, by slug. */
  storeAccess: Record<string, { readonly token: string; readonly expiresAt: string }>
  /** Shown once, on the next page. */
  notice?: { readonly tone: 'good' | 'bad'; readonly text: string }
}

const DAYS_KEPT = 60
const DAY_MS = 86_400_000

/** The sessions of visitors. Each has a random token, of which only the hash is stored. */
export function sessionStore(database: DatabaseSync) {
  const select = database.prepare('select content from sessions where id = ?')
  const upsert = database.prepare(
    'insert into sessions (id, content, seen_at) values (?, ?, ?) on conflict (id) do update set content = excluded.content, seen_at = excluded.seen_at',
  )
  const remove = database.prepare('delete from sessions where id = ?')
  const removeOld = database.prepare('delete from sessions where seen_at < ?')
  const idOf = (token: string) => createHash('sha256').update(token).digest('hex')

  return {
    /** The session of a token, or an empty one. */
    load(token: string | undefined): Session {
      const row = token === undefined ? undefined : select.get(idOf(token))
      return row ? (JSON.parse(row.content as string) as Session) : { orderIds: [], storeAccess: {} }
    },
    /** Stores the changes of a request, and keeps concurrent changes of others. @returns the token, or a new one if there was none */
    save(token: string | undefined, changes: Partial<Session>): string {
      const kept = token ?? randomBytes(32).toString('base64url')
      upsert.run(idOf(kept), JSON.stringify({ ...this.load(token), ...changes }), Date.now())
      return kept
    },
    delete: (token: string) => void remove.run(idOf(token)),
    sweep: () => void removeOld.run(Date.now() - DAYS_KEPT * DAY_MS),
  }
}

export type SessionStore = ReturnType<typeof sessionStore>
