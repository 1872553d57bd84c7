import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'

const KEYS_MAX = 10
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use'] as const

/**
 * Parses the JWK Set of a client. Returns its public keys, or an error message.
 *
 * @see RFC 7517 §5
 */
export function readClientKeys(value: unknown): { readonly keys: readonly JWK[] } | string {
  const { keys } = (value ?? {}) as { readonly keys?: unknown }
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > KEYS_MAX) {
    return `A JWK Set is { "keys": […] } with 1 to ${KEYS_MAX} keys.`
  }
  const fault = keys.map(keyFault).find((each) => each !== null)
  return fault ?? { keys: keys.map(publicJwk) }
}

function keyFault(key: Record<string, unknown>): string | null {
  if (key?.crv !== 'P-256' && key?.crv !== 'Ed25519') return 'Each key must be a P-256 or Ed25519 key.'
  if ('d' in key) return 'The JWK Set contains a private key. Generate new keys and register the public ones only.'
  try {
    createPublicKey({ key, format: 'jwk' })
    return null
  } catch {
    return 'One of the keys is not a valid public key.'
  }
}

function publicJwk(key: Record<string, unknown>): JWK {
  return Object.fromEntries(PUBLIC_MEMBERS.filter((name) => name in key).map((name) => [name, key[name]])) as JWK
}
