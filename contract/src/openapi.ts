import type { TSchema } from 'typebox'
import {
  limits,
  type Method,
  type Operation,
  type OperationId,
  operations,
  type RefusalCode,
  refusals,
  refusalsOf,
  type SCOPES,
} from './index.ts'
import { header, headers, headerText, type Json, type JsonObject } from './openapi-headers.ts'
import { linksOf } from './openapi-links.ts'
import { OPTION_FILTERS, OPTION_FILTERS_MAX } from './schemas/catalog.ts'
import { PublicErrorResponse } from './schemas/error.ts'
import { exampleOf, isBoundOnly, schemasByName } from './schemas/primitives.ts'
import { publishedSchema, type Side } from './schemas/published.ts'

/** The OpenAPI document of the public door, as plain JSON. */
export type OpenApiDocument = JsonObject & {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: { readonly [kind: string]: JsonObject }
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Storefront: 'Site configuration, legal documents, contact channels and decorations.',
  Accounts: 'Customer registration and password reset.',
  'Store access': 'Access to gated stores.',
  Installations: 'The identity of a credential and what it can do.',
  Catalog: 'Stores, categories and products, with filters, facets and search.',
  'Hosted checkout': 'Sending shoppers to the hosted checkout pages and following the session.',
  'Hosted login': 'Signing shoppers in on hosted pages.',
  Carts: 'Carts, promotion codes and signed quotes.',
  Orders: 'Orders, cancellations and after-sales requests.',
  Webhooks: 'Webhook endpoints, deliveries and event kinds.',
  OAuth: 'The authorization code flow with PKCE (S256) and DPoP.',
}

const errorStatuses = {
  400: ['BadRequest', 'The request does not match the public contract.'],
  401: ['Unauthorized', 'Authentication failed.'],
  403: ['Forbidden', 'The credential lacks permission.'],
  404: ['NotFound', 'Resource not found.'],
  409: ['Conflict', 'Idempotency or state conflict.'],
  429: ['TooManyRequests', 'Rate limited. The body states how long to wait; there is no Retry-After header.'],
  500: ['InternalError', 'Internal error.'],
  503: ['Unavailable', 'The service is temporarily unavailable.'],
} as const satisfies Record<number, readonly [string, string]>

const statuses = Object.keys(errorStatuses).map(Number) as readonly (keyof typeof errorStatuses)[]

/** The most typical detail of a status, as an example. */
const exampleCodes: Readonly<Record<keyof typeof errorStatuses, RefusalCode>> = {
  400: 'validation_failed',
  401: 'credential_missing',
  403: 'insufficient_scope',
  404: 'not_found',
  409: 'version_conflict',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
}

const exampleFacts: { readonly [Code in RefusalCode]?: JsonObject } = {
  validation_failed: { details: (exampleOf(PublicErrorResponse) as { details: Json }).details },
  insufficient_scope: { params: { scopes: ['catalog:read'] } },
  version_conflict: { conflict: { expectedVersion: 3, currentVersion: 4, currentState: 'active' } },
  rate_limited: {
    retry: { advice: refusals.rate_limited.advice, afterMs: 1200 },
    rateLimit: { policy: 'key-write', limit: 3000, windowSeconds: 60, remaining: 0 },
  },
  internal_error: { outcome: 'unknown' },
}

function errorExample(code: RefusalCode): JsonObject {
  const { status, message, advice, afterMs } = refusals[code] as (typeof refusals)[RefusalCode] & { afterMs?: number }
  return {
    code,
    message,
    status,
    requestId: 'req_01k5b7m2q8e9rtv3w4x5y6z7a8',
    outcome: 'not_applied',
    retry: { advice, afterMs: afterMs ?? null },
    details: [],
    ...exampleFacts[code],
  }
}

const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** The titles of a schema and of all schemas inside it. */
function titlesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { title } = node as { readonly title?: unknown }
  return [...(typeof title === 'string' ? [title] : []), ...Object.values(node).flatMap(titlesIn)]
}

const rows = Object.values<Operation>(operations)
const requestTitles = new Set(rows.flatMap((row) => titlesIn([row.params, row.query, row.body])))
const responseTitles = new Set(titlesIn([PublicErrorResponse, ...rows.map((row) => [row.data, row.meta])]))

/** The published name of a schema. One in both requests and responses is published twice. */
function publishedName(title: string, side: Side): string {
  return side === 'closed' && responseTitles.has(title) ? `${title}Request` : title
}

/** A schema in the document: a named schema becomes a reference. */
function written(schema: TSchema, side: Side): Json {
  return (referenceTo(schema, side) ?? publishedSchema(schema, side, (inner) => referenceTo(inner, side))) as Json
}

function referenceTo(schema: TSchema, side: Side): JsonObject | null {
  const { title, description } = schema as { readonly title?: string; readonly description?: string }
  if (title === undefined || !schemasByName().has(title)) return null
  const named = reference('schemas', publishedName(title, side))
  // OpenAPI 3.1 allows other keywords next to a reference.
  return isBoundOnly(schema) ? { ...named, description, 'x-sender-constraint': 'required' } : named
}

const commonHeaders: JsonObject = {
  'X-Request-Id': reference('headers', 'X-Request-Id'),
  'Cache-Control': reference('headers', 'Cache-Control'),
  RateLimit: reference('headers', 'RateLimit'),
  'RateLimit-Policy': reference('headers', 'RateLimit-Policy'),
  'Access-Control-Allow-Origin': reference('headers', 'Access-Control-Allow-Origin'),
}

/** Each answer to a request with a proof has the nonce for the next one. */
const nonceHeader: JsonObject = { 'DPoP-Nonce': reference('headers', 'DPoP-Nonce') }

const takesProof = ({ auth, method }: Operation) =>
  auth.kind !== 'public' && (auth.kind !== 'oauth' || method === 'POST')

const hasETag = (row: Operation) => row.conditional || (row.auth.kind === 'public' && row.method === 'GET')

function successHeaders(row: Operation): JsonObject {
  return {
    ...commonHeaders,
    ...(takesProof(row) && nonceHeader),
    ...(hasETag(row) && { ETag: reference('headers', 'ETag') }),
    ...(row.idempotency === 'required' && {
      [limits.idempotency.replayHeader]: reference('headers', 'Idempotent-Replayed'),
    }),
    ...(row.deprecated && {
      Deprecation: header('The date of deprecation (RFC 9745).', headerText('^@[0-9]+$', 20, '@1688169599')),
      Sunset: header(
        'The date of its end, if one is set (RFC 8594).',
        headerText('^[\\x20-\\x7e]*$', 40, 'Sun, 30 Jun 2024 23:59:59 GMT'),
      ),
    }),
  }
}

const errorResponses: JsonObject = Object.fromEntries(
  statuses.map((status) => {
    const [name, description] = errorStatuses[status]
    return [
      name,
      {
        description,
        headers: {
          ...commonHeaders,
          ...(status === 401 && { 'WWW-Authenticate': reference('headers', 'WWW-Authenticate') }),
          ...nonceHeader,
        },
        content: {
          'application/json': {
            schema: reference('schemas', 'PublicErrorResponse'),
            example: errorExample(exampleCodes[status]),
          },
        },
      },
    ]
  }),
)

/** The complete answer of a row, as its example. */
export function answerExampleOf(row: Operation): JsonObject {
  const data = exampleOf(row.data) as Json
  return {
    ...(row.mirrored && (data as JsonObject)),
    data,
    ...(row.meta && { meta: exampleOf(row.meta) as Json }),
  }
}

/** Schemas of complete answers by name. Operations with the same response name share one, with a `oneOf` if their data differ. */
function answerSchemas(): JsonObject {
  const rowsByName = Map.groupBy(Object.values<Operation>(operations), (row) => row.response)
  return Object.fromEntries([...rowsByName].map(([name, rows]) => [name, answerSchema(name, rows)]))
}

function answerSchema(name: string, rows: readonly Operation[]): JsonObject {
  const [first] = rows
  if (!first) throw new Error(`No operation answers ${name}.`)
  const kinds = [...new Set(rows.map((row) => row.data))]
  const data =
    kinds.length === 1
      ? written(first.data, 'open')
      : { description: 'Depends on the operation.', oneOf: kinds.map((kind) => written(kind, 'open')) }
  const mirrored = first.mirrored
    ? (first.data as unknown as { properties: Record<string, TSchema>; required?: string[] })
    : null
  return {
    title: name,
    type: 'object',
    description: `The answer of ${rows.length === 1 ? 'one operation' : `${rows.length} operations`}.`,
    required: ['data', ...(first.meta && !first.metaOptional ? ['meta'] : []), ...(mirrored?.required ?? [])],
    properties: {
      data,
      ...(first.meta && { meta: written(first.meta, 'open') }),
      ...(mirrored &&
        Object.fromEntries(
          Object.entries(mirrored.properties).map(([member, each]) => [member, written(each, 'open')]),
        )),
    },
  }
}

/** Writes for which the interface declares no header parameters. Their key is only in `x-idempotency`. */
const WITHOUT_HEADERS: ReadonlySet<string> = new Set([
  'replayInstallationWebhookDelivery',
  'cancelHostedCheckoutSession',
  'addPublicCartItem',
  'updatePublicCartItemQuantity',
  'revokePublicCart',
  'removePublicCartPromotion',
  'cancelStorefrontOrder',
  'requestStorefrontOrderAfterSales',
] satisfies OperationId[])

const idempotencyKey: JsonObject = {
  name: limits.idempotency.header,
  in: 'header',
  required: true,
  description: 'A new key for each write, and the same key for its retries. A quoted string (RFC 8941) is accepted.',
  schema: headerText('^[\\x21-\\x7e]+$', 255, '3b2c0f5e-9a3f-4f0f-8d8e-6f3b2c0f5e9a'),
}

function parametersOf(operationId: string, row: Operation): readonly Json[] {
  const inPath = Object.entries(row.params.properties).map(([name, schema]) => parameter('path', name, schema, true))
  const required = new Set<string>((row.query as { required?: string[] }).required ?? [])
  const inQuery = Object.entries(row.query.properties).map(([name, schema]) =>
    parameter('query', name, schema, required.has(name)),
  )
  const inHeader = row.idempotency === 'required' && !WITHOUT_HEADERS.has(operationId) ? [idempotencyKey] : []
  return [...inPath, ...inQuery, ...optionParameters(row), ...inHeader]
}

function parameter(place: 'path' | 'query', name: string, schema: TSchema, required: boolean): JsonObject {
  const { description } = schema as { description?: string }
  const isList = (schema as { type?: string }).type === 'array'
  return {
    name,
    in: place,
    required,
    description: description ?? name,
    schema: written(schema, 'closed'),
    ...(isList && { style: 'form', explode: true }),
  }
}

/** Filters named by the catalog: an exploded object turns each member into a parameter. */
function optionParameters(row: Operation): readonly JsonObject[] {
  const { patternProperties } = row.query as { patternProperties?: Record<string, TSchema> }
  return Object.entries(patternProperties ?? {}).map(([pattern, values]) => ({
    name: OPTION_FILTERS,
    in: 'query',
    required: false,
    description:
      'One parameter `option.<name>` per option, such as `option.color=blue`. Repeat it for several values. Values of one option are alternatives; several options narrow the result. `optionFilters[option.color]=blue` is accepted as well, for clients that nest objects.',
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      description: 'Values by parameter name.',
      additionalProperties: false,
      maxProperties: OPTION_FILTERS_MAX,
      patternProperties: {
        [pattern]: {
          description: 'One value, or several.',
          anyOf: [written((values as unknown as { items: TSchema }).items, 'closed'), written(values, 'closed')],
        },
      },
      examples: [{ 'option.color': ['blue', 'green'] }],
    },
  }))
}

function scopesOf({ auth }: Operation): readonly string[] {
  return auth.kind === 'key' || auth.kind === 'senderConstrained' ? auth.scopes : []
}

function securityOf(row: Operation): readonly JsonObject[] {
  const { auth } = row
  if (auth.kind === 'public') return row.gated ? [{}, { storeAccess: [] }] : []
  if (auth.kind === 'oauth') return [{ oauth2: [] }]
  const bound = [{ boundApiKey: [] }, { oauth2: scopesOf(row) }]
  return auth.kind === 'senderConstrained' ? bound : [{ apiKey: [] }, ...bound]
}

function requestBodyOf(row: Operation): JsonObject {
  if (!row.body) return {}
  const content = { schema: written(row.body, 'closed'), example: exampleOf(row.body) as Json }
  return {
    requestBody: {
      required: true,
      description: (row.body as { description?: string }).description ?? 'The request body.',
      content: {
        'application/json': content,
        ...(row.auth.kind === 'oauth' && { 'application/x-www-form-urlencoded': content }),
      },
    },
  }
}

function refusalsByStatus(row: Operation): JsonObject {
  const codes = refusalsOf(row)
  const used = statuses.filter((status) => codes.some((code) => refusals[code].status === status))
  return Object.fromEntries(used.map((status) => [status, codes.filter((code) => refusals[code].status === status)]))
}

function operationObject(operationId: string, row: Operation): JsonObject {
  const parameters = parametersOf(operationId, row)
  return {
    operationId,
    ...(row.deprecated && { deprecated: true, externalDocs: { url: row.deprecated.link } }),
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(row),
    responses: {
      200: {
        description: (row.data as { description?: string }).description ?? row.summary,
        headers: successHeaders(row),
        content: { 'application/json': { schema: reference('schemas', row.response), example: answerExampleOf(row) } },
        ...linksOf(operationId, row),
      },
      ...(hasETag(row) && { 304: reference('responses', 'NotModified') }),
      ...Object.fromEntries(statuses.map((status) => [status, reference('responses', errorStatuses[status][0])])),
    },
    security: securityOf(row),
    ...(scopesOf(row).length > 0 && { 'x-scopes': scopesOf(row) }),
    'x-stability': row.stability,
    'x-idempotency':
      row.idempotency === 'required' ? { mode: 'required', header: limits.idempotency.header } : { mode: 'none' },
    ...(row.secrets && { 'x-shown-once': Object.keys(row.secrets).map((member) => `/data/${member}`) }),
    ...(row.idSource === 'assigned' && { 'x-id-source': 'assigned' }),
    ...(row.auth.kind === 'senderConstrained' && { 'x-sender-constraint': 'required' }),
    'x-refusals': refusalsByStatus(row),
  }
}

function pathsOf(): Readonly<Record<string, JsonObject>> {
  const byPath = Map.groupBy(Object.entries<Operation>(operations), ([, row]) => row.path)
  return Object.fromEntries(
    [...byPath].map(([path, rows]) => [
      path,
      Object.fromEntries(
        rows.map(([id, row]) => [row.method.toLowerCase() as Lowercase<Method>, operationObject(id, row)]),
      ),
    ]),
  )
}

const scopeDescriptions: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'catalog:read': 'Carts, orders, checkout sessions and logins of the installation: personal data of shoppers.',
  'checkout:quote': 'Promotion codes, quotes and starting a checkout.',
  'webhooks:read': 'Webhook endpoints, deliveries and event kinds.',
  'webhooks:write': 'Creating and updating endpoints, and replaying deliveries.',
}

function securitySchemes(serverUrl: string): JsonObject {
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An unbound API key: `Authorization: Bearer sfk_…`. Reads only, without contact data and links to checkout pages: members with `x-sender-constraint` are absent.',
    },
    boundApiKey: {
      type: 'http',
      scheme: 'DPoP',
      description:
        'A bound API key: `Authorization: DPoP sfk_…` with a proof in the `DPoP` header (RFC 9449). Reads and writes.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        'The authorization code flow with PKCE (S256 only). Tokens are bound to the key of a DPoP proof (RFC 9449) and sent as `Authorization: DPoP sfat_…` with a proof. Proofs and client assertions are validated as RFC8725 recommends.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${serverUrl}/api/v1/oauth/authorize`,
          tokenUrl: `${serverUrl}/api/v1/oauth/token`,
          refreshUrl: `${serverUrl}/api/v1/oauth/token`,
          scopes: scopeDescriptions,
        },
      },
    },
    storeAccess: {
      type: 'apiKey',
      in: 'header',
      name: limits.storeAccess.header,
      description: 'The access token of a solved challenge, for gated stores. See verifyStorefrontChallenge.',
    },
  }
}

function componentSchemas(): JsonObject {
  const named = [...schemasByName()].flatMap(([title, schema]) => {
    const sides = [
      ...(requestTitles.has(title) ? (['closed'] as const) : []),
      ...(responseTitles.has(title) ? (['open'] as const) : []),
    ]
    return sides.map((side): [string, Json] => {
      const name = publishedName(title, side)
      const refer = (inner: TSchema) => referenceTo(inner, side)
      return [name, { ...publishedSchema(schema, side, refer), title: name } as Json]
    })
  })
  const all: JsonObject = { ...Object.fromEntries(named), ...answerSchemas() }
  return Object.fromEntries(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/**
 * Write the rows as an OpenAPI 3.1.0 document with exactly the 59 public operations.
 *
 * @param options.serverUrl the public address, without a trailing slash
 * @see docs/reference/rules.md#compatibility
 */
export function openapiDocument(options: { readonly serverUrl: string }): OpenApiDocument {
  const { serverUrl } = options
  const used = new Set(Object.values<Operation>(operations).map((row) => row.tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine Commerce Storefront',
      version: '1.0.0',
      summary: 'Catalog, carts, quotes, hosted checkout, orders and webhooks for storefronts.',
      description:
        'The public interface: 59 operations. Every success is 200 with `{ data }`. Every error is a PublicErrorResponse that states whether the effect happened and what to do next. Stable operations keep their contract; candidates may still change.',
      termsOfService: `${serverUrl}/api/v1/legal/documents`,
      contact: { name: 'The operator of this service', url: `${serverUrl}/api/v1/public/contact` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: serverUrl,
        description: 'Production. Keys of the test environment work here as well.',
        'x-internal': false,
      },
    ],
    tags: Object.entries(tagDescriptions)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: pathsOf(),
    components: {
      schemas: componentSchemas(),
      responses: {
        NotModified: {
          description: 'The cached copy is still valid.',
          headers: { ...commonHeaders, ...nonceHeader, ETag: reference('headers', 'ETag') },
        },
        ...errorResponses,
      },
      headers,
      securitySchemes: securitySchemes(serverUrl),
    },
  }
}
