import { crc32, deflateSync } from 'node:zlib'
import { qrCode } from './qr-code.ts'

/** Readers need four light modules around the code. */
const QUIET_ZONE = 4
/** Enough for high-density displays at the size that mails use. */
const PIXELS_PER_MODULE = 6
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** One bit per pixel, grayscale. */
const FORMAT = [1, 0, 0, 0, 0]

/**
 * A QR code as a PNG image, in a data URL: mail clients show no SVG.
 *
 * @see ISO/IEC 15948
 */
export function qrCodePicture(text: string): string {
  const rows = qrCode(text)
  const size = (rows.length + 2 * QUIET_ZONE) * PIXELS_PER_MODULE
  const lineOf = (y: number) => {
    // The filter of the line, none; then light pixels as ones.
    const line = Buffer.alloc(1 + Math.ceil(size / 8))
    for (let x = 0; x < size; x += 1) {
      const isDark =
        rows[Math.floor(y / PIXELS_PER_MODULE) - QUIET_ZONE]?.[Math.floor(x / PIXELS_PER_MODULE) - QUIET_ZONE]
      if (!isDark) line[1 + (x >>> 3)]! |= 0x80 >>> (x & 7)
    }
    return line
  }
  const pixels = Buffer.concat(Array.from({ length: size }, (_, y) => lineOf(y)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  const chunks = [
    chunkOf('IHDR', Buffer.concat([head, Buffer.from(FORMAT)])),
    chunkOf('IDAT', deflateSync(pixels)),
    chunkOf('IEND', Buffer.alloc(0)),
  ]
  return `data:image/png;base64,${Buffer.concat([SIGNATURE, ...chunks]).toString('base64')}`
}

function chunkOf(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
}
