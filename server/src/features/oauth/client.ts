import type { JWK } from 'jose'
import { isLoopback } from '../../kernel/loopback.ts'

/** An app that requests tokens for an installation. @see RFC 6749 §2 */
export interface Client {
  readonly id: string
  readonly authMethod: 'none' | 'private_key_jwt'
  /** The public keys that verify its assertions; `null` for a public client. */
  readonly jwks: { readonly keys: readonly JWK[] } | null
  /** Compared as exact strings. @see RFC 9700 §4.1.3 */
  readonly redirectUris: readonly string[]
  readonly installation: {
    readonly id: string
    readonly name: string
    readonly status: 'active' | 'suspended'
    /** Its store, or `null` for the whole marketplace. */
    readonly storeId: string | null
  }
}

const REDIRECT_URI_CHARACTERS_MAX = 2048

/**
 * Why a redirect URI is not allowed, or `null` if it is. Allowed are https, http on a loopback address, and private-use schemes in
 * reverse domain notation.
 *
 * @see RFC 6749 §3.1.2, RFC 8252 §7.1 and 7.3
 */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > REDIRECT_URI_CHARACTERS_MAX || !URL.canParse(uri)) return 'is not a URL'
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'must not have a fragment'
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (protocol === 'https:') return null
  if (protocol === 'http:') return isLoopback(hostname) ? null : 'must be https, or http on a loopback address'
  return protocol.includes('.') ? null : 'must be https, or a private-use scheme such as com.example.app:/done'
}
