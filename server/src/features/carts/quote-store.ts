import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Quote } from './quote.ts'

interface QuoteRow {
  readonly id: string
  readonly cart_id: string
  readonly cart_version: number
  readonly payload: Buffer
  readonly key_id: string
  readonly signature: Buffer
  readonly created_at: Date
  readonly expires_at: Date
}

const insert = statement(
  'quotes.insert',
  `insert into quotes (id, cart_id, cart_version, payload, key_id, signature, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export function insertQuote(tx: Transaction, quote: Quote): void {
  const { id, cartId, cartVersion, payload, keyId, signature, createdAt, expiresAt } = quote
  tx.write(insert, [id, cartId, cartVersion, payload, keyId, signature, createdAt, expiresAt])
}

// Uses the index quotes_by_cart: reads one row.
const latest = statement<QuoteRow>(
  'quotes.latest',
  `select id, cart_id, cart_version, payload, key_id, signature, created_at, expires_at from quotes
   where cart_id = $1 order by created_at desc, id desc limit 1`,
)

/** Find the latest quote of a cart. The caller has checked the cart's owner. */
export async function findLatestQuote(reader: Reader, cartId: string): Promise<Quote | null> {
  const row = await reader.row(latest, [cartId])
  return row ? quoteOf(row) : null
}

const ofCart = statement<QuoteRow>(
  'quotes.of_cart',
  `select id, cart_id, cart_version, payload, key_id, signature, created_at, expires_at from quotes
   where id = $1 and cart_id = $2`,
)

/** Find a quote of a cart by id. */
export async function findQuote(reader: Reader, quoteId: string, cartId: string): Promise<Quote | null> {
  const row = await reader.row(ofCart, [quoteId, cartId])
  return row ? quoteOf(row) : null
}

function quoteOf(row: QuoteRow): Quote {
  return {
    id: row.id,
    cartId: row.cart_id,
    cartVersion: row.cart_version,
    payload: row.payload,
    keyId: row.key_id,
    signature: row.signature,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
