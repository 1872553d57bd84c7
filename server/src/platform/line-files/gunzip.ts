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

/** The same as for an upload that is not compressed. */
const UNPACKED_BYTES_MAX = 1024 * 1024 * 1024

/** An upload is larger than allowed once unpacked. Its code begins like those of zlib. */
class TooLargeUnpacked extends Error {
  readonly code = 'Z_TOO_LARGE'
}

/**
 * Decompresses an upload of limited size: a file of 1 MB can unpack to 1 GB.
 *
 * @throws an error whose `code` begins with `Z_` if the upload is damaged or too large
 */
export async function* gunzippedUpload(
  bytes: AsyncIterable<Buffer>,
  bytesMax = UNPACKED_BYTES_MAX,
): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const chunk of gunzipped(bytes)) {
    unpacked += chunk.length
    if (unpacked > bytesMax) throw new TooLargeUnpacked(`it unpacks to more than ${bytesMax} bytes`)
    yield chunk
  }
}
