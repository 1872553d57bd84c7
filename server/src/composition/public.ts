import { type Operation, type OperationId, operations } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { findCredential, isKnownOrigin, type KeyUses } from '../features/installations/index.ts'
import { findAccessToken } from '../features/oauth/index.ts'
import { isAccessToken } from '../platform/auth/access-token.ts'
import { hashOfToken } from '../platform/auth/api-key.ts'
import { CredentialCache } from '../platform/auth/credential-cache.ts'
import { dpopVerifier } from '../platform/auth/dpop.ts'
import { dpopNonces } from '../platform/auth/nonce.ts'
import type { Handler } from '../platform/http/handler.ts'
import { routeOf } from '../platform/http/pipeline.ts'
import { publicDoor } from '../platform/http/public-door.ts'
import type { PipelineDeps, Route } from '../platform/http/request-context.ts'
import { ResponseCache } from '../platform/http/response-cache.ts'
import { publicReads } from '../platform/revisions/public-reads.ts'
import { observeProcess } from './metrics.ts'
import type { Runtime } from './runtime.ts'

/** One handler per row: a missing or an extra one does not compile. */
export type HandlerMap = { readonly [Id in OperationId]: Handler<(typeof operations)[Id]> }

export function createPublicDoor(runtime: Runtime, handlers: HandlerMap, keyUses: KeyUses): FastifyInstance {
  const { database, log, metrics } = runtime
  const deps = createPipelineDeps(runtime, keyUses)
  observeProcess(metrics, deps)
  return publicDoor({
    deps,
    routes: routesOf(handlers),
    log,
    metrics,
    isKnownOrigin: (origin) => isKnownOrigin(database.reader, origin),
  })
}

function createPipelineDeps(runtime: Runtime, keyUses: KeyUses): PipelineDeps {
  const { config, database, clock, ids, limiter, revisions, secrets } = runtime
  const nonces = dpopNonces(secrets['dpop-nonce'])
  return {
    database,
    readPublicly: publicReads(runtime),
    clock,
    ids,
    limiter,
    revisions,
    responseCache: new ResponseCache(revisions),
    verifyProof: dpopVerifier(nonces),
    nonces,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    credentials: new CredentialCache(database.reader, (reader, token) =>
      isAccessToken(token) ? findAccessToken(reader, token) : findCredential(reader, hashOfToken(token)),
    ),
    recordUse: ({ type, id }, now) => {
      if (type === 'api_key') keyUses.record(id, now)
    },
  }
}

function routesOf(handlers: HandlerMap): Route[] {
  const ids = Object.keys(operations) as OperationId[]
  return ids.map((id) =>
    routeOf(id, operations[id] as Operation, handlers[id] as unknown as Parameters<typeof routeOf>[2]),
  )
}
