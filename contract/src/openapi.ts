import type { TSchema } from 'typebox'
import {
  limits,
  type Method,
  type Operation,
  operations,
  type RefusalCode,
  refusals,
  refusalsOf,
  type SCOPES,
} from './index.ts'
import { PublicErrorResponse } from './schemas/error.ts'
import { exampleOf, schemasByName } from './schemas/primitives.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined }
type JsonObject = { readonly [member: string]: Json | undefined }

/** The OpenAPI document of the public door, as plain JSON. */
export type OpenApiDocument = JsonObject & {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: { readonly [kind: string]: JsonObject }
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Storefront: 'What a shop needs before and around its pages: configuration, legal documents, contact, decorations.',
  Accounts: 'Customers register, and set a new password.',
  'Store access': 'Entering a store that is not open to anybody.',
  Installations: 'Who is asking, and what they can do.',
  Catalogue: 'Stores, categories and products, with filters, facets and search.',
  'Hosted checkout': 'Handing a shopper over to our checkout pages, and following them.',
  'Hosted login': 'Letting a shopper log in on our pages.',
  Carts: 'Carts, promotion codes and quotes that are honoured.',
  Orders: 'Orders, their cancellation and after-sales.',
  Webhooks: 'Endpoints, deliveries and the kinds of event.',
  OAuth: 'The authorization code flow with PKCE (S256) and DPoP.',
}

const errorStatuses = {
  400: ['BadRequest', 'The request does not match the public contract.'],
  401: ['Unauthorized', 'Authentication failed.'],
  403: ['Forbidden', 'The credential may not do this.'],
  404: ['NotFound', 'There is no such public resource.'],
  409: ['Conflict', 'An idempotency key or the state of an object stands in the way.'],
  429: ['TooManyRequests', 'Rate limited. The body says how long to wait; there is no Retry-After.'],
  500: ['InternalError', 'Something failed on our side.'],
  503: ['Unavailable', 'The service cannot answer at the moment.'],
} as const satisfies Record<number, readonly [string, string]>

const statuses = Object.keys(errorStatuses).map(Number) as readonly (keyof typeof errorStatuses)[]

/** The detail that tells most about a status, as an example. */
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

/** A schema as the document writes it: a named schema below the root is a reference. */
function written(schema: TSchema, isRoot = false): Json {
  const node = schema as Readonly<Record<string, unknown>>
  if (!isRoot && typeof node.title === 'string' && schemasByName().has(node.title)) {
    return reference('schemas', node.title)
  }
  return writtenMembers(node)
}

function writtenMembers(node: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries(node).map(([keyword, value]): [string, Json] => {
    if (keyword === 'properties' || keyword === 'patternProperties') {
      const properties = Object.entries(value as Record<string, TSchema>)
      return [keyword, Object.fromEntries(properties.map(([name, property]) => [name, written(property)]))]
    }
    if (keyword === 'items') return [keyword, written(value as TSchema)]
    if (keyword === 'anyOf') return [keyword, (value as TSchema[]).map((each) => written(each))]
    return [keyword, value as Json]
  })
  return Object.fromEntries(entries)
}

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema })
const headerText = (pattern: string, maxLength: number, example: string): JsonObject => ({
  type: 'string',
  pattern,
  maxLength,
  examples: [example],
})

const headers: JsonObject = {
  'X-Request-Id': header(
    'Names the request; the same as `requestId` in an error.',
    headerText('^req_[0-7][0-9a-hjkmnp-tv-z]{25}$', 30, 'req_01k5b7m2q8e9rtv3w4x5y6z7a8'),
  ),
  RateLimit: header(
    'What is left of the policy that is closest to its end, and the seconds until it is whole again (draft-ietf-httpapi-ratelimit-headers).',
    headerText('^[\\x20-\\x7e]*$', 500, '"key-read";r=5999;t=1'),
  ),
  'RateLimit-Policy': header(
    'The policy: its quota and its window in seconds (draft-ietf-httpapi-ratelimit-headers).',
    headerText('^[\\x20-\\x7e]*$', 500, '"key-read";q=6000;w=60'),
  ),
  'Access-Control-Allow-Origin': header(
    'Which web pages may read the answer: any for public reads, the origins of the installation elsewhere.',
    headerText('^(\\*|https?://[^\\s]+)$', 300, '*'),
  ),
  ETag: header(
    'Names these bytes exactly. Send it as `If-None-Match`.',
    headerText('^"[A-Za-z0-9_-]+"$', 64, '"b0Yl6H3u9aQ"'),
  ),
  'Cache-Control': header('How long the answer may be kept.', headerText('^[\\x20-\\x7e]*$', 200, 'private, no-store')),
  'WWW-Authenticate': header(
    'The schemes that are taken, and what was wrong.',
    headerText('^[\\x20-\\x7e]*$', 1000, 'Bearer realm="vitrine", DPoP realm="vitrine", algs="ES256 EdDSA"'),
  ),
  'DPoP-Nonce': header('The nonce for the next DPoP proof.', headerText('^[A-Za-z0-9_-]+$', 100, 'q1Zf3vJ4mXW0b8cD')),
  'Idempotent-Replayed': header('`true` where a stored answer is given again.', headerText('^true$', 4, 'true')),
}

const commonHeaders: JsonObject = {
  'X-Request-Id': reference('headers', 'X-Request-Id'),
  RateLimit: reference('headers', 'RateLimit'),
  'RateLimit-Policy': reference('headers', 'RateLimit-Policy'),
  'Access-Control-Allow-Origin': reference('headers', 'Access-Control-Allow-Origin'),
}

const isPublicRead = (row: Operation) => row.auth.kind === 'public' && row.method === 'GET'

function successHeaders(row: Operation): JsonObject {
  return {
    ...commonHeaders,
    'Cache-Control': reference('headers', 'Cache-Control'),
    ...(isPublicRead(row) && { ETag: reference('headers', 'ETag') }),
    ...(row.idempotency === 'required' && {
      [limits.idempotency.replayHeader]: reference('headers', 'Idempotent-Replayed'),
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
          ...((status === 400 || status === 401) && { 'DPoP-Nonce': reference('headers', 'DPoP-Nonce') }),
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

/** The whole answer of a row, as its example. */
export function answerExampleOf(row: Operation): JsonObject {
  const data = exampleOf(row.data) as Json
  return {
    ...(row.mirrored && (data as JsonObject)),
    data,
    ...(row.meta && { meta: exampleOf(row.meta) as Json }),
  }
}

/** The schemas of whole answers by name. Operations that share a name share the schema, or stand in it side by side. */
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
      ? written(first.data)
      : { description: 'By operation.', oneOf: kinds.map((kind) => written(kind)) }
  const mirrored = first.mirrored
    ? (first.data as unknown as { properties: Record<string, TSchema>; required?: string[] })
    : null
  return {
    title: name,
    type: 'object',
    description: `The answer of ${rows.length === 1 ? 'one operation' : `${rows.length} operations`}.`,
    additionalProperties: false,
    required: ['data', ...(first.meta && !first.metaOptional ? ['meta'] : []), ...(mirrored?.required ?? [])],
    properties: {
      data,
      ...(first.meta && { meta: written(first.meta) }),
      ...(mirrored &&
        Object.fromEntries(Object.entries(mirrored.properties).map(([member, each]) => [member, written(each)]))),
    },
  }
}

function parametersOf(row: Operation): readonly Json[] {
  const inPath = Object.entries(row.params.properties).map(([name, schema]) => parameter('path', name, schema, true))
  const required = new Set<string>((row.query as { required?: string[] }).required ?? [])
  const inQuery = Object.entries(row.query.properties).map(([name, schema]) =>
    parameter('query', name, schema, required.has(name)),
  )
  return [...inPath, ...inQuery, ...optionParameters(row)]
}

function parameter(place: 'path' | 'query', name: string, schema: TSchema, required: boolean): JsonObject {
  const { description } = schema as { description?: string }
  const isList = (schema as { type?: string }).type === 'array'
  return {
    name,
    in: place,
    required,
    description: description ?? name,
    schema: written(schema),
    ...(isList && { style: 'form', explode: true }),
  }
}

/** Filters whose names the catalogue gives: an exploded object writes each member as a parameter of its own. */
function optionParameters(row: Operation): readonly JsonObject[] {
  const { patternProperties } = row.query as { patternProperties?: Record<string, TSchema> }
  return Object.entries(patternProperties ?? {}).map(([pattern, values]) => ({
    name: 'optionFilters',
    in: 'query',
    required: false,
    description:
      'A parameter `option.<name>` for each option, such as `option.colour=blue`. Repeat it for several values: values of one option are alternatives, options narrow each other.',
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      description: 'Values by parameter.',
      additionalProperties: false,
      maxProperties: 20,
      patternProperties: { [pattern]: written((values as unknown as { items: TSchema }).items) },
      examples: [{ 'option.colour': 'blue' }],
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
  const content = { schema: written(row.body), example: exampleOf(row.body) as Json }
  return {
    requestBody: {
      required: true,
      description: (row.body as { description?: string }).description ?? 'The request.',
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
  const parameters = parametersOf(row)
  return {
    operationId,
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
      },
      ...(isPublicRead(row) && { 304: reference('responses', 'NotModified') }),
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
  'catalog:read': 'Carts, orders, checkout sessions and logins of the installation.',
  'checkout:quote': 'Promotion codes, quotes and the beginning of checkout.',
  'webhooks:read': 'Endpoints, deliveries and kinds of event.',
  'webhooks:write': 'Creating and changing endpoints, and replaying deliveries.',
}

function securitySchemes(serverUrl: string): JsonObject {
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key that is bound to no key: `Authorization: Bearer sfk_…`. Reads only.',
    },
    boundApiKey: {
      type: 'http',
      scheme: 'DPoP',
      description:
        'An API key that is bound to a key: `Authorization: DPoP sfk_…` with a proof in the `DPoP` header, RFC 9449. Reads and writes.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        'The authorization code flow with PKCE (S256 alone). Tokens are bound to the key of a DPoP proof, RFC 9449, and are sent as `Authorization: DPoP sfat_…` with a proof. Proofs and client assertions are judged as RFC8725 asks.',
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
      description: 'The access token of a solved challenge, for stores that are not open: verifyStorefrontChallenge.',
    },
  }
}

function componentSchemas(): JsonObject {
  const named = [...schemasByName()].map(([name, schema]): [string, Json] => [name, written(schema, true)])
  const all: JsonObject = { ...Object.fromEntries(named), ...answerSchemas() }
  return Object.fromEntries(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/**
 * Writes the rows as an OpenAPI 3.1.0 document: the 59 public operations and nothing else.
 *
 * @param options.serverUrl the public address, without a trailing slash
 * @see CONTRACT, Reading the table
 */
export function openapiDocument(options: { readonly serverUrl: string }): OpenApiDocument {
  const { serverUrl } = options
  const used = new Set(Object.values<Operation>(operations).map((row) => row.tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine Commerce Storefront',
      version: '1.0.0',
      summary: 'Catalogue, carts, quotes, hosted checkout, orders and webhooks of a storefront.',
      description:
        'The public interface: 59 operations. Every success is 200 with `{ data }`, every error has the shape of PublicErrorResponse and says whether the effect happened and what to do next. Stable operations keep their contract; candidates may still change.',
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
          description: 'What the caller holds is still right.',
          headers: { ...commonHeaders, ETag: reference('headers', 'ETag') },
        },
        ...errorResponses,
      },
      headers,
      securitySchemes: securitySchemes(serverUrl),
    },
  }
}
