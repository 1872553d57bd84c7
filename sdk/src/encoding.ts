const encoder = new TextEncoder()

/** Bytes in base64url without padding. @see RFC 4648 §5 */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** @throws DOMException if it is not base64url */
export function bytesOf(base64urlText: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64urlText.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

/** The SHA-256 digest of a text, in base64url. */
export async function digest(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/** 256 random bits in base64url: a PKCE verifier or a state. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}
