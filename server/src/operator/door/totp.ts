import { createHmac } from 'node:crypto'

/** Seconds of a step, and digits of a code: what every authenticator app assumes. */
const STEP_SECONDS = 30
const DIGITS = 6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** How far a phone's clock may be off, in steps. @see RFC 6238 §5.2 */
const DRIFT_STEPS = 1

export const TOTP_SECRET_BYTES = 20

/** The step at a time. */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** The code of a step. @see RFC 6238 §4.2 and RFC 4226 §5.3 */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) as number) & 0xf
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step of a code: near now and later than the last used step; `null` if the code matches none. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { readonly now: Date; readonly lastStep: number },
): number | null {
  const current = totpStep(now)
  for (let step = Math.max(current - DRIFT_STEPS, lastStep + 1); step <= current + DRIFT_STEPS; step += 1) {
    if (totpCode(secret, step) === code) return step
  }
  return null
}

/** Encodes a secret for manual entry in an app. @see RFC 4648 §6 */
export function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri({
  key,
  email,
  site,
}: {
  readonly key: string
  readonly email: string
  readonly site: string
}): string {
  const query = new URLSearchParams({ secret: key, issuer: site, digits: String(DIGITS), period: String(STEP_SECONDS) })
  return `otpauth://totp/${encodeURIComponent(`${site}:${email}`)}?${query}`.replaceAll('+', '%20')
}
