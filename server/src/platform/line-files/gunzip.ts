import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/**
 * What was packed by gzip, gunzipped as it comes. What goes wrong before or while unpacking ends the reading: `pipeline` passes it
 * on, and whoever reads is told.
 */
export function gunzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  // Whoever has stopped reading needs not hear of what is wrong behind that, and a process must not end by it.
  gunzip.on('error', () => {})
  pipeline(Readable.from(bytes), gunzip, () => {})
  return gunzip
}
