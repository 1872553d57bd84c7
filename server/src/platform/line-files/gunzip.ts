import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/**
 * Decompresses a gzip stream. Errors of the source and of the decompression are thrown to the reader.
 */
export function gunzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  // An error after the reader has stopped must not end the process.
  gunzip.on('error', () => {})
  pipeline(Readable.from(bytes), gunzip, () => {})
  return gunzip
}
