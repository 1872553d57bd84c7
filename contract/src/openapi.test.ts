import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { type Operation, operations, refusalCodes } from './index.ts'
import { openapiDocument } from './openapi.ts'

const document = openapiDocument({ serverUrl: 'https://storefront.example' })
const parsed = JSON.parse(JSON.stringify(document))
const described: [string, Record<string, unknown>][] = Object.values<Record<string, Record<string, unknown>>>(
  parsed.paths,
).flatMap((methods) =>
  Object.values(methods).map((each): [string, Record<string, unknown>] => [String(each.operationId), each]),
)
const rows = operations as Record<string, Operation>

/** Resolves a local reference. */
function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], parsed)
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  )
}

/** The schemas of requests or of responses, with their locations. */
function publishedObjects(isRequest: boolean): [string, Record<string, unknown>][] {
  const met = new Map<string, Record<string, unknown>>()
  const visit = (place: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as Record<string, unknown>
    if (typeof node.$ref === 'string' && !met.has(node.$ref)) {
      met.set(node.$ref, {})
      visit(node.$ref, resolve(node.$ref))
    }
    if (node.type !== undefined || node.anyOf !== undefined) met.set(place, node)
    for (const [name, member] of Object.entries(node)) {
      if (!['example', 'examples', 'links', 'headers'].includes(name) || node.type !== undefined)
        visit(`${place}/${name}`, member)
    }
  }
  for (const [id, { parameters, requestBody, responses }] of described) {
    visit(id, isRequest ? [parameters, requestBody] : responses)
  }
  return [...met]
}

/** The operations whose parameters the interface fixes. */
function interfaceTable(): string[] {
  const text = readFileSync(new URL('../../docs/reference/interface.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('### Operations with declared detail'), text.indexOf('### Remaining'))
  return [...table.matchAll(/^\| (\w+) \| [A-Z]+ \/api/gm)].map(([, id]) => id as string)
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1.0 with exactly the 59 operations', () => {
    assert.equal(parsed.openapi, '3.1.0')
    assert.deepEqual(described.map(([id]) => id).sort(), Object.keys(operations).sort())
    assert.equal(described.length, 59)
  })

  it('resolves every reference and has no unused component', () => {
    const references = new Set(referencesIn(parsed))
    for (const reference of references) assert.ok(resolve(reference), reference)
    for (const kind of ['schemas', 'responses', 'headers']) {
      for (const name of Object.keys(parsed.components[kind])) {
        assert.ok(references.has(`#/components/${kind}/${name}`), `${kind}/${name}`)
      }
    }
  })

  it('declares the Idempotency-Key of every write that needs one, unless the interface fixes its parameters', () => {
    const fixed = new Set(interfaceTable())
    assert.equal(fixed.size, 19)
    for (const [id, { parameters = [] }] of described) {
      const declared = (parameters as { in: string; name: string }[]).filter((parameter) => parameter.in === 'header')
      const isDeclared = rows[id]?.idempotency === 'required' && !fixed.has(id)
      assert.deepEqual(
        declared.map(({ name }) => name),
        isDeclared ? ['Idempotency-Key'] : [],
        id,
      )
    }
  })

  it('links an answer only to operations that take the parameter', () => {
    const linked = described.flatMap(([, { responses }]) =>
      Object.values((responses as { 200: { links?: object } })[200].links ?? {}),
    ) as { operationId: string; parameters: Record<string, string> }[]
    assert.ok(linked.length > 10)
    for (const { operationId, parameters } of linked) {
      assert.deepEqual(Object.keys(parameters), Object.keys(rows[operationId]!.params.properties), operationId)
    }
  })

  it('lets an option filter have one value or several', () => {
    const { parameters } = parsed.paths['/api/v1/catalog/products'].get
    const { schema } = parameters.find(({ name }: { name: string }) => name === 'optionFilters')
    const filters = Compile(schema)
    assert.ok(filters.Check({ 'option.color': 'blue' }) && filters.Check({ 'option.color': ['blue', 'green'] }))
    assert.equal(filters.Check({ color: 'blue' }), false)
  })

  it('closes request schemas and leaves response schemas open', () => {
    const [requests, responses] = [true, false].map((isRequest) => publishedObjects(isRequest))
    const oauth = /OAuth(Token|Revocation)Request$/
    for (const [place, { type, additionalProperties }] of requests ?? []) {
      if (type === 'object') assert.equal(additionalProperties, oauth.test(place), place)
    }
    for (const [place, node] of responses ?? []) assert.ok(!('additionalProperties' in node), place)
    assert.ok((requests?.length ?? 0) > 200 && (responses?.length ?? 0) > 800)
  })

  it('marks the response enums that may grow, with bounds that fit every value', () => {
    const words = publishedObjects(false).filter(([, node]) => 'x-extensible-enum' in node)
    assert.ok(words.length > 50)
    for (const [place, node] of words) {
      assert.equal(node.enum, undefined, place)
      const word = Compile(node)
      for (const value of node['x-extensible-enum'] as string[]) assert.ok(word.Check(value), `${place}: ${value}`)
    }
    const requests = publishedObjects(true).filter(([, node]) => 'x-extensible-enum' in node)
    assert.deepEqual(requests, [])
  })

  it('declares no query parameter if a list is paged by links', () => {
    for (const [id, { parameters = [] }] of described) {
      if (!rows[id]?.undeclaredQuery) continue
      assert.deepEqual(
        (parameters as { in: string }[]).filter((parameter) => parameter.in === 'query'),
        [],
        id,
      )
    }
  })

  it('states stability, idempotency and the source of each operationId', () => {
    for (const [id, each] of described) {
      const row = rows[id]
      assert.equal(each['x-stability'], row?.stability, id)
      assert.deepEqual(
        each['x-idempotency'],
        row?.idempotency === 'required' ? { mode: 'required', header: 'Idempotency-Key' } : { mode: 'none' },
        id,
      )
      assert.equal(each['x-id-source'], row?.idSource === 'assigned' ? 'assigned' : undefined, id)
    }
  })

  it('declares the same error statuses for every operation, all with PublicErrorResponse', () => {
    const statuses = ['400', '401', '403', '404', '409', '429', '500', '503']
    for (const [id, { responses }] of described) {
      const answers = responses as Record<string, { $ref?: string }>
      assert.deepEqual(
        Object.keys(answers).filter((status) => status >= '400'),
        statuses,
        id,
      )
      for (const status of statuses) {
        const answer = resolve(String(answers[status]?.$ref)) as { content: { 'application/json': { schema: object } } }
        assert.deepEqual(answer.content['application/json'].schema, {
          $ref: '#/components/schemas/PublicErrorResponse',
        })
      }
    }
  })

  it('sends no Retry-After', () => {
    assert.equal(parsed.components.responses.TooManyRequests.headers['Retry-After'], undefined)
  })

  it('declares Cache-Control in every answer, and DPoP-Nonce where a request may have a proof', () => {
    for (const [id, { responses, security = [] }] of described) {
      const takesToken = (security as object[]).some((each) => 'oauth2' in each)
      const isProven = takesToken && id !== 'describeOAuthAuthorization'
      for (const [status, answer] of Object.entries(responses as Record<string, { $ref?: string }>)) {
        const { headers } = (answer.$ref ? resolve(answer.$ref) : answer) as { headers: object }
        assert.ok('Cache-Control' in headers, `${id} ${status}`)
        if (status === '200') assert.equal('DPoP-Nonce' in headers, isProven, id)
        else assert.ok('DPoP-Nonce' in headers, `${id} ${status}`)
      }
    }
  })

  it('lists every code as an enum', () => {
    assert.deepEqual(parsed.components.schemas.PublicErrorResponse.properties.code['x-extensible-enum'], refusalCodes)
  })

  it('leaves `meta` optional in the two lists where the interface does', () => {
    for (const name of ['PublicCatalogProductListResponse', 'PublicCatalogCategoryListResponse']) {
      const schema = parsed.components.schemas[name]
      assert.deepEqual(schema.required, ['data'])
      assert.equal(schema.properties.data.type, 'array')
      assert.ok(schema.properties.meta)
    }
  })

  it('has an example for every request and response', () => {
    for (const [id, { requestBody, responses }] of described) {
      const contents = [requestBody, (responses as Record<string, unknown>)['200']].filter(Boolean) as {
        content: Record<string, { example?: unknown }>
      }[]
      for (const { content } of contents) for (const media of Object.values(content)) assert.ok(media.example, id)
    }
  })

  it('requires a bound credential for every write of an installation', () => {
    for (const [id, { security }] of described) {
      const names = (security as object[]).flatMap((each) => Object.keys(each))
      assert.equal(
        names.includes('boundApiKey') && !names.includes('apiKey'),
        rows[id]?.auth.kind === 'senderConstrained',
        id,
      )
    }
  })
})
