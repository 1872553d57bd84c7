import {
  type EventKind,
  eventData,
  eventKindNames,
  eventKinds,
  exampleOf,
  type Operation,
  operations,
  PublicErrorResponse,
  refusalCodes,
} from '@vitrine/contract'
import { FIXED, schemasByName } from '../contract/src/schemas/primitives.ts'

/**
 * Writes the SDK's own copy of the contract: the facts it needs at run time, and plain types with the descriptions of the
 * schemas. The SDK imports neither the contract nor TypeBox.
 */

const HEADER = '// Written by `npm run generate` from the contract. Do not edit.\n'

type TSchema = Operation['data']

interface SchemaNode {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly 'x-any-json'?: boolean
  readonly [FIXED]?: true
}

const node = (schema: TSchema) => schema as SchemaNode
const rows = Object.entries<Operation>(operations)
const quoted = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
const pascal = (text: string) =>
  text
    .split(/[._]|(?=[A-Z])/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')
const isName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)
const memberName = (name: string) => (isName(name) ? name : quoted(name))

/** A TSDoc comment of one or more lines. */
function comment(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'))
  if (safe.length === 1) return `/** ${safe[0]} */\n`
  return `/**\n${safe.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`
}

/** The schemas below a schema, itself included. */
function partsOf(schema: TSchema): TSchema[] {
  const { anyOf = [], items, properties = {}, patternProperties = {} } = node(schema)
  const below = [...anyOf, ...(items ? [items] : []), ...Object.values(properties), ...Object.values(patternProperties)]
  return [schema, ...below.flatMap(partsOf)]
}

/** Names of the named schemas in these. */
function namesIn(schemas: readonly TSchema[]): Set<string> {
  return new Set(schemas.flatMap(partsOf).flatMap((each) => node(each).title ?? []))
}

const inputsOf = (row: Operation) => [row.params, row.undeclaredQuery ?? row.query, ...(row.body ? [row.body] : [])]
const outputsOf = (row: Operation) => [row.data, ...(row.meta ? [row.meta] : [])]
const outputNames = namesIn([
  ...rows.flatMap(([, row]) => outputsOf(row)),
  PublicErrorResponse,
  ...Object.values(eventData),
])
const inputNames = namesIn(rows.flatMap(([, row]) => inputsOf(row)))
const resources = new Map([...schemasByName()].filter(([name]) => inputNames.has(name) || outputNames.has(name)))

/** Lists that are only sent are read-only; the caller may sort a received list. */
type Direction = 'sent' | 'received'

/** A schema as a type: a named one by its name. */
function typeOf(schema: TSchema, direction: Direction, isRoot = false): string {
  const { title, anyOf, items, type, const: constant, enum: values } = node(schema)
  if (title !== undefined && !isRoot) return title
  if (constant !== undefined) return quoted(constant)
  if (values) return enumType(schema, direction)
  if (anyOf) return anyOf.map((each) => typeOf(each, direction)).join(' | ')
  if (type === 'array' && items) {
    const item = typeOf(items, direction)
    const isUnion =
      (node(items).title === undefined && node(items).enum !== undefined) || (node(items).anyOf ?? []).length > 1
    return `${direction === 'sent' ? 'readonly ' : ''}${isUnion ? `(${item})` : item}[]`
  }
  if (type === 'object') return objectType(schema, direction)
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type
  if (node(schema)['x-any-json']) return 'unknown'
  throw new Error(`This schema has no type: ${JSON.stringify(schema).slice(0, 200)}`)
}

/** In a response, an enum that may grow in v1 admits any other string. @see docs/reference/compatibility.md */
function enumType(schema: TSchema, direction: Direction): string {
  const { enum: values = [], [FIXED]: isFixed } = node(schema)
  const isOpen = direction === 'received' && !isFixed && typeof values[0] === 'string'
  return [...values.map(quoted), ...(isOpen ? ['(string & {})'] : [])].join(' | ')
}

function objectType(schema: TSchema, direction: Direction): string {
  const { properties = {}, patternProperties = {}, required = [] } = node(schema)
  const [pattern] = Object.entries(patternProperties)
  if (pattern && Object.keys(properties).length === 0) return `Record<string, ${typeOf(pattern[1], direction)}>`
  const members = Object.entries(properties).map(
    ([name, property]) =>
      `${propertyComment(property)}${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(property, direction)}`,
  )
  // The only pattern next to names: the filters by option of product lists.
  const filters = pattern
    ? [`${propertyComment(pattern[1])}[option: \`option.\${string}\`]: ${typeOf(pattern[1], direction)}`]
    : []
  return `{\n${indented([...members, ...filters].join('\n'))}\n}`
}

/** The description, unless it is that of the type the property names. */
function propertyComment(schema: TSchema): string {
  const { title, description } = node(schema)
  const isKnown = title !== undefined && node(resources.get(title)!).description === description
  return description === undefined || isKnown ? '' : comment([description])
}

function declaration(name: string, type: string, about: readonly string[]): string {
  // A union of objects starts with a brace as well.
  const isInterface = type.startsWith('{') && !type.includes('\n} | {')
  return `${comment(about)}export ${isInterface ? `interface ${name} ${type}` : `type ${name} = ${type}`}\n`
}

function resourcesFile(): string {
  const declarations = [...resources].map(([name, schema]) => {
    const direction = outputNames.has(name) ? 'received' : 'sent'
    return declaration(name, typeOf(schema, direction, true), [node(schema).description ?? name])
  })
  return [HEADER, ...declarations, ...eventDeclarations()].join('\n')
}

/** The common prefix of the kinds of one schema, such as `order` of `order.created` and `order.updated`. */
function subjectOf(kinds: readonly string[]): string {
  const [first, ...others] = kinds.map((kind) => kind.split('.'))
  const shared = first!.filter((word, index) => others.every((other) => other[index] === word))
  return pascal(shared.join('.'))
}

function eventDeclarations(): string[] {
  const bySchema = Map.groupBy(eventKindNames, (kind) => eventData[kind] as TSchema)
  const nameOf = new Map([...bySchema].map(([schema, kinds]) => [schema, `${subjectOf(kinds)}EventData`]))
  const data = [...nameOf].map(([schema, name]) =>
    declaration(name, typeOf(schema, 'received', true), [node(schema).description ?? name]),
  )
  const members = eventKindNames.map(
    (kind: EventKind) => `${comment([eventKinds[kind].description])}${quoted(kind)}: ${nameOf.get(eventData[kind])}`,
  )
  const byKind = `{\n${indented(members.join('\n'))}\n}`
  return [
    ...data,
    declaration('EventDataByKind', byKind, ['The data of each kind of webhook event.']),
    declaration('EventKind', 'keyof EventDataByKind', ['A kind of webhook event.']),
    declaration('ErrorCode', refusalCodes.map(quoted).join(' | '), [
      'The codes that this version knows. Codes never change.',
    ]),
  ]
}

interface Part {
  readonly name: 'params' | 'query' | 'body'
  readonly schema: TSchema
  readonly isRequired: boolean
}

/** The parts of the input that a row has. */
function inputParts(row: Operation): Part[] {
  const query = row.undeclaredQuery ?? row.query
  const hasMembers = (schema: TSchema) =>
    Object.keys(node(schema).properties ?? {}).length + Object.keys(node(schema).patternProperties ?? {}).length > 0
  const hasRequired = (schema: TSchema) => node(schema).anyOf !== undefined || (node(schema).required ?? []).length > 0
  return [
    ...(hasMembers(row.params) ? [{ name: 'params', schema: row.params, isRequired: true } as const] : []),
    ...(hasMembers(query) ? [{ name: 'query', schema: query, isRequired: hasRequired(query) } as const] : []),
    ...(row.body ? [{ name: 'body', schema: row.body, isRequired: hasRequired(row.body) } as const] : []),
  ]
}

function inputDeclaration(id: string, row: Operation): string {
  const parts = inputParts(row).map(
    ({ name, schema, isRequired }) => `${name}${isRequired ? '' : '?'}: ${typeOf(schema, 'sent')}`,
  )
  const type = parts.length === 0 ? 'Record<string, never>' : `{\n${indented(parts.join('\n'))}\n}`
  return declaration(`${pascal(id)}Input`, type, [`The input of \`${id}\`.`])
}

function outputType(row: Operation): string {
  const data = typeOf(row.data, 'received')
  return row.meta ? `{ data: ${data}; meta: ${typeOf(row.meta, 'received')} }` : data
}

/** The paths of a list's items and of its link to the next page. */
interface ListFacts {
  readonly items: string
  readonly next: string
  readonly item: TSchema
}

function listOf(row: Operation): ListFacts | null {
  const { next } = node(row.meta ?? ({} as TSchema)).properties ?? {}
  const all = node(row.data)
  if (next && all.items) return { items: 'data', next: 'meta.next', item: all.items }
  const result = all.properties?.result
  const [place, page] = result && !all.properties?.next ? ['data.result', node(result)] : ['data', all]
  if (!page.properties?.next) return null
  const [name, list] = Object.entries(page.properties).find(([, each]) => node(each).type === 'array')!
  return { items: `${place}.${name}`, next: `${place}.next`, item: node(list).items! }
}

const lists = rows.flatMap(([id, row]) => {
  const list = listOf(row)
  return list ? [[id, list] as const] : []
})

function exampleCall(id: string, row: Operation): string[] {
  const parts = inputParts(row).filter(({ isRequired }) => isRequired)
  const input = parts.map(({ name, schema }) => [name, requiredOf(exampleOf(schema), schema)])
  const text = parts.length === 0 ? '' : written(Object.fromEntries(input))
  return ['```ts', `const answer = await shop.${id}(${text})`, '```']
}

/** An example without its optional members, unless it has no others. */
function requiredOf(example: unknown, schema: TSchema): unknown {
  const { required = [], properties } = node(schema)
  if (!properties || required.length === 0) return example
  return Object.fromEntries(Object.entries(example as object).filter(([name]) => required.includes(name)))
}

/** A value as TypeScript. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (typeof value !== 'object' || value === null) return quoted(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${memberName(name)}: ${written(each)}`)
    .join(', ')} }`
}

function methodOf(id: string, row: Operation): string {
  const isOptional = inputParts(row).every(({ isRequired }) => !isRequired)
  const codes = row.refusals.map((code) => `\`${code}\``)
  const about = [
    row.summary,
    '',
    row.description,
    '',
    `\`${row.method} ${row.path}\``,
    '',
    '@example',
    ...exampleCall(id, row),
    ...(codes.length > 0 ? [`@throws VitrineError ${codes.join(', ')}`] : []),
  ]
  const input = `input${isOptional ? '?' : ''}: ${pascal(id)}Input`
  return `${comment(about)}${id}(${input}, options?: CallOptions): Promise<${outputType(row)}>\n`
}

function methodsFile(): string {
  const inputs = rows.map(([id, row]) => inputDeclaration(id, row))
  const methods = `{\n${indented(rows.map(([id, row]) => methodOf(id, row)).join('\n'))}}`
  const map = (type: (id: string, row: Operation) => string) =>
    `{\n${indented(rows.map(([id, row]) => `${id}: ${type(id, row)}`).join('\n'))}\n}`
  const items = `{\n${indented(lists.map(([id, { item }]) => `${id}: ${typeOf(item, 'received')}`).join('\n'))}\n}`
  const types = [...inputs, methods, map((_, row) => outputType(row)), items].join('\n')
  const used = [...resources.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(types))
  return [
    HEADER,
    "import type { CallOptions } from '../client.ts'",
    `import type {\n${indented(used.map((name) => `${name},`).join('\n'))}\n} from './resources.ts'`,
    '',
    ...inputs,
    declaration('OperationMethods', methods, ['Every operation as a method.']),
    declaration(
      'OperationInputs',
      map((id) => `${pascal(id)}Input`),
      ['The input of each operation.'],
    ),
    declaration(
      'OperationOutputs',
      map((_, row) => outputType(row)),
      ['The output of each operation.'],
    ),
    declaration('ListItems', items, ['The item of each paginated list.']),
  ].join('\n')
}

function factsOf(id: string, row: Operation): string {
  const list = listOf(row)
  const facts = {
    method: row.method,
    path: row.path,
    access: row.auth.kind === 'public' ? 'public' : row.auth.kind === 'oauth' ? 'proof' : 'credential',
    ...(row.body && { hasBody: true }),
    ...(row.idempotency === 'required' && { hasKey: true }),
    ...(row.meta && { hasMeta: true }),
    ...(list && { items: list.items, next: list.next }),
  }
  return `${id}: ${written(facts)},`
}

function operationsFile(): string {
  return [
    HEADER,
    comment(['The facts of each operation that the client needs at run time.']).trimEnd(),
    `export const operations = {\n${indented(rows.map(([id, row]) => factsOf(id, row)).join('\n'))}\n} as const\n`,
    comment(['The id of an operation.']).trimEnd(),
    'export type OperationId = keyof typeof operations\n',
  ].join('\n')
}

/** The generated files by their path below sdk/src/generated. */
export function sdkFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['operations.ts', operationsFile()],
    ['resources.ts', resourcesFile()],
    ['methods.ts', methodsFile()],
  ])
}
