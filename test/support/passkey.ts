import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The inputs of a passkey signature, which tests can falsify. */
export interface Signing {
  readonly challenge: string
  /** The origin of the page in the browser. */
  readonly origin: string
  readonly rpId?: string
  /** Whether the device has verified the user; true by default. */
  readonly isVerified?: boolean
  /** The counter of the authenticator; the next by default. */
  readonly counter?: number
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** An authenticator without a browser, with one ES256 credential and no attestation. @see WebAuthn Level 3 §6 */
export class TestPasskey {
  readonly id = randomBytes(16)
  readonly #key: KeyObject
  readonly #cose: Buffer
  #counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    // A CBOR map: kty EC2, alg ES256, crv P-256, x and y. RFC 9053 §7.1.1.
    const coordinate = (label: number, text: string) => [Buffer.from([label, 0x58, 32]), Buffer.from(text, 'base64url')]
    this.#cose = Buffer.concat([Buffer.from('a5010203262001', 'hex'), ...coordinate(0x21, x), ...coordinate(0x22, y)])
  }

  /** The answer of `navigator.credentials.create`. */
  create(signing: Signing) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#cose])
    const authData = this.#authenticatorData(signing, HAS_CREDENTIAL, credential)
    // A CBOR map: fmt `none`, attStmt {}, authData.
    const head = Buffer.from([0xa3, 0x63, ...Buffer.from('fmt'), 0x64, ...Buffer.from('none'), 0x67])
    const statement = Buffer.from([
      ...Buffer.from('attStmt'),
      0xa0,
      0x68,
      ...Buffer.from('authData'),
      0x58,
      authData.length,
    ])
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: clientData('webauthn.create', signing).toString('base64url'),
      attestationObject: Buffer.concat([head, statement, authData]).toString('base64url'),
      transports: ['internal'],
    }
  }

  /** The answer of `navigator.credentials.get`. */
  get(signing: Signing) {
    const authenticatorData = this.#authenticatorData(signing, 0, Buffer.alloc(0))
    const client = clientData('webauthn.get', signing)
    const hash = createHash('sha256').update(client).digest()
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authenticatorData, hash]), this.#key).toString('base64url'),
    }
  }

  #authenticatorData({ origin, rpId, isVerified = true, counter }: Signing, flags: number, rest: Buffer): Buffer {
    this.#counter = counter ?? this.#counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#counter)
    const hash = createHash('sha256')
      .update(rpId ?? new URL(origin).hostname)
      .digest()
    return Buffer.concat([hash, Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | flags]), count, rest])
  }
}

function clientData(type: string, { challenge, origin }: Signing): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
