/** A key pair that was made in this browser. The private half leaves it only as a file for its owner. */
export interface KeyPair {
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  readonly privateFile: Blob
}

/** Makes a key pair for ES256. */
export async function makeKeyPair(): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { x = '', y = '', d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const publicKey = { kty: 'EC', crv: 'P-256', x, y } as const
  const privateFile = new Blob([JSON.stringify({ ...publicKey, d, alg: 'ES256' }, null, 2)], {
    type: 'application/json',
  })
  return { publicKey, privateFile }
}
