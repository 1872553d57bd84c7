import type { TSchema } from 'typebox'
import { limits } from '../limits.ts'
import type { Json, JsonObject } from '../openapi-headers.ts'
import { type RefusalCode, refusals } from '../refusals.ts'
import { PublicErrorResponse } from '../schemas/error.ts'
import { exampleOf, schemasByName } from '../schemas/primitives.ts'
import { publishedSchema } from '../schemas/published.ts'
import { type OperatorOperation, operatorOperations, operatorRefusals, operatorSchemas } from './index.ts'

const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** Named schemas, in the order they are referenced. */
class Components {
  readonly #met = new Map<string, Json>()

  /** Converts a schema: named schemas become components. */
  written(schema: TSchema): Json {
    const name = nameOf(schema)
    if (name === null) return this.#members(schema)
    if (!this.#met.has(name)) {
      this.#met.set(name, null)
      this.#met.set(name, this.#members(schema))
    }
    return reference('schemas', name)
  }

  get schemas(): JsonObject {
    return Object.fromEntries([...this.#met].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  #members(schema: TSchema): Json {
    return publishedSchema(schema, 'closed', (inner) => this.written(inner) as object) as JsonObject
  }
}

function nameOf(schema: TSchema): string | null {
  const { title } = schema as { title?: unknown }
  if (typeof title !== 'string') return null
  return operatorSchemas().has(title) || schemasByName().has(title) ? title : null
}

/** The statuses of the errors of a row: those of its own refusals and those of the door. */
function statusesOf(row: OperatorOperation): readonly number[] {
  const own = row.refusals.map((code) => ({ ...refusals, ...operatorRefusals })[code].status)
  const keyed = row.idempotencyKey ? [400, 409] : []
  const input = row.body !== null || row.upload || Object.keys(row.query.properties).length > 0 ? [400] : []
  const statuses = [...own, ...input, ...keyed, ...(row.auth.kind === 'operator' ? [401] : []), 403, 500]
  return [...new Set(statuses)].sort((one, other) => one - other)
}

const statusSentences: Readonly<Record<number, string>> = {
  400: 'The request does not match the interface.',
  401: 'The credentials are missing or wrong.',
  403: 'The request comes from another origin.',
  404: 'The resource does not exist.',
  409: 'The current state does not allow this.',
  429: 'Too many attempts. The body contains the wait time.',
  500: 'An internal error occurred.',
  503: 'The service cannot answer at the moment.',
}

const errorNameOf = (status: number) => `Error${status}`

function parameters(row: OperatorOperation, components: Components): readonly Json[] {
  const of = (place: 'path' | 'query', schema: OperatorOperation['params']) =>
    Object.entries(schema.properties).map(([name, each]) => {
      const { description } = each as { description?: string }
      const required = ((schema as { required?: string[] }).required ?? []).includes(name)
      return { name, in: place, required, ...(description && { description }), schema: components.written(each) }
    })
  return [...of('path', row.params), ...of('query', row.query), ...(row.idempotencyKey ? [keyParameter] : [])]
}

/** As for operations of the public API, but not required. */
const keyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A repetition of the request with the same key has no second effect, and gets the same answer, for ${limits.idempotency.retentionDays} days.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotency.keyLengthMax },
}

function bodyOf(row: OperatorOperation, components: Components): JsonObject | undefined {
  if (row.upload) {
    const schema = { type: 'string', format: 'binary', description: 'The bytes of the file.' }
    return { required: true, content: { 'application/octet-stream': { schema } } }
  }
  if (row.body === null) return undefined
  return { required: true, content: { 'application/json': { schema: components.written(row.body) } } }
}

function answerOf(row: OperatorOperation, components: Components): JsonObject {
  if (row.download) {
    return { description: row.summary, content: { [row.download]: { schema: { type: 'string', format: 'binary' } } } }
  }
  return {
    description: row.summary,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['data', ...(row.meta ? ['meta'] : [])],
          properties: {
            data: components.written(row.data),
            ...(row.meta && { meta: components.written(row.meta) }),
          },
        },
        example: { data: exampleOf(row.data) as Json, ...(row.meta && { meta: exampleOf(row.meta) as Json }) },
      },
    },
  }
}

/** The OpenAPI document of the operator door, as plain JSON. */
export function operatorOpenapiDocument({ serverUrl }: { readonly serverUrl: string }): JsonObject {
  const components = new Components()
  const rows = Object.entries<OperatorOperation>(operatorOperations)
  const byPath = Map.groupBy(rows, ([, row]) => row.path)
  const paths = Object.fromEntries(
    [...byPath].map(([path, each]) => [
      path,
      Object.fromEntries(each.map(([operationId, row]) => [row.method.toLowerCase(), written(operationId, row)])),
    ]),
  )
  function written(operationId: string, row: OperatorOperation): JsonObject {
    const errors = statusesOf(row).map((status) => [String(status), reference('responses', errorNameOf(status))])
    return {
      operationId,
      tags: [row.tag],
      summary: row.summary,
      description: row.description,
      security: row.auth.kind === 'none' ? [] : [{ session: [] }, { token: [] }],
      parameters: parameters(row, components),
      requestBody: bodyOf(row, components),
      responses: { 200: answerOf(row, components), ...Object.fromEntries(errors) },
    }
  }
  const error = components.written(PublicErrorResponse)
  const codes = [...Object.keys(refusals), ...Object.keys(operatorRefusals)] as (RefusalCode | string)[]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine, operator side',
      version: 'v1',
      description: `The private interface behind the console and the command line. It may change with each release.\n\nCodes of errors: ${codes.join(', ')}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'The operator door.' }],
    tags: [...new Set(rows.map(([, row]) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      responses: Object.fromEntries(
        Object.entries(statusSentences).map(([status, description]) => [
          errorNameOf(Number(status)),
          { description, content: { 'application/json': { schema: error } } },
        ]),
      ),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'vitrine-operator', description: 'Set by signIn.' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in the data directory, for the command line.',
        },
      },
    },
  }
}
