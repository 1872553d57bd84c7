import { createHmac, createSecretKey } from 'node:crypto'
import { present } from '../../kernel/assert.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

const PURPOSES = [
  'checkout-page',
  'cursor',
  'dpop-nonce',
  'eligibility',
  'licence-fingerprint',
  'licence-keys',
  'oauth-request',
  'oauth-token',
  'operator-setup',
  'order-link',
  'page-form',
  'quote-signature',
  'store-access',
  'webhook-fixture',
] as const
export type SecretPurpose = (typeof PURPOSES)[number]

/** 32 random bytes per purpose, the same on all nodes. */
export type ServerSecrets = { readonly [Purpose in SecretPurpose]: Buffer }

const offer = statement(
  'secrets.offer',
  'insert into server_secrets (purpose, secret) values ($1, $2) on conflict do nothing',
)
const read = statement<{ purpose: string; secret: Buffer }>(
  'secrets.read',
  'select purpose, secret from server_secrets',
)

/** Loads the secrets that all nodes share, creating missing ones. The first node wins. */
export async function loadSecrets(tx: Transaction, randomness: Randomness): Promise<ServerSecrets> {
  for (const purpose of PURPOSES) tx.write(offer, [purpose, randomness.bytes(32)])
  const stored = new Map((await tx.rows(read)).map((row) => [row.purpose, row.secret]))
  return Object.fromEntries(
    PURPOSES.map((purpose) => [purpose, present(stored.get(purpose), `no secret for ${purpose}`)]),
  ) as unknown as ServerSecrets
}

/**
 * HMAC-SHA256. With a KeyObject it takes 6 µs; with a Buffer Node first raises an error internally, which takes 17 µs, and a
 * checkout needs a dozen.
 */
export function mac(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', createSecretKey(secret)).update(text).digest()
}
