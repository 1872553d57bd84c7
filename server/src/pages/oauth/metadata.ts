import type { FastifyInstance } from 'fastify'
import { type AuthorizationServer, METADATA_PATH, serverMetadata } from '../../features/oauth/index.ts'

/** Serves the metadata of the authorization server, also to clients in browsers. @see RFC 8414 §3 */
export function oauthMetadata(server: AuthorizationServer): (door: FastifyInstance) => void {
  const body = JSON.stringify(serverMetadata(server))
  return (door) =>
    void door.get(METADATA_PATH, async (_request, reply) =>
      reply
        .header('content-type', 'application/json')
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .send(body),
    )
}
