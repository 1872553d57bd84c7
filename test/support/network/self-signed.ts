import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a self-signed certificate for 127.0.0.1, in PEM. */
export interface SelfSigned {
  readonly key: string
  readonly cert: string
}

/** One value of DER: its tag, its length and its content. @see ITU-T X.690 */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts)
const time = (text: string) => der(0x17, Buffer.from(text))

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))
const COMMON_NAME = objectId('550403')
const SUBJECT_ALT_NAME = objectId('551d11')
const LOOPBACK = Buffer.from([127, 0, 0, 1])

/** Creates a certificate that is valid until 2049. @see RFC 5280 §4.1 */
export function selfSigned(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('127.0.0.1')))))
  const altNames = sequence(sequence(SUBJECT_ALT_NAME, octets(sequence(der(0x87, LOOPBACK)))))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time('200101000000Z'), time('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, altNames),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, signature)
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
