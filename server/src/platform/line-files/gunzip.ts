import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/**
 * What was packed by gzip, gunzipped as it comes. What goes wrong before or while unpacking ends the reading: `pipeline` passes it
 * on, and whoever reads is told.
 */
export function gunzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  // An error after the reader has stopped must not end the process.
  gunzip.on('error', () => {})
  pipeline(Readable.from(bytes), gunzip, () => {})
  return gunzip
}
