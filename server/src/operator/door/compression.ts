import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingWeights } from '../../platform/http/response-cache.ts'

/** Below this, compression saves less than a packet. */
const COMPRESSED_BYTES_MIN = 1024
export const compress = promisify<string | Buffer, Buffer>(gzip)

export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return encodingWeights(String(headers['accept-encoding'] ?? ''))('gzip') > 0
}

/** Sends the answer of a read, compressed if the client accepts it. The objects of a list repeat their member names. */
export async function sendRead(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
  reply.header('vary', 'Accept-Encoding')
  if (body.length < COMPRESSED_BYTES_MIN || !acceptsGzip(request)) return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(await compress(body))
}
