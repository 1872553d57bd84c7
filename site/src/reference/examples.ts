import { exampleOf, type Operation } from '@vitrine/contract'

/** The URL of the test environment that `npm start` starts. */
export const LOCAL = 'http://127.0.0.1:8080'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The path of a row with the examples of its parameters, without a query. */
export function pathWithExamples(row: Operation): string {
  const params = exampleOf(row.params) as Readonly<Record<string, string>>
  return row.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? name))
}

/** An example with the required members, or with all members if none is required. */
export function smallExampleOf(schema: Operation['data']): unknown {
  const example = exampleOf(schema)
  const { required = [], properties } = schema as {
    readonly required?: readonly string[]
    readonly properties?: object
  }
  if (!properties || required.length === 0) return example
  return Object.fromEntries(Object.entries(example as object).filter(([name]) => required.includes(name)))
}

/** An example query: the required parameters, or the typical ones of a list. */
export function queryExampleOf(row: Operation): Readonly<Record<string, unknown>> {
  const { required = [], properties } = row.query as { required?: string[]; properties: Record<string, object> }
  const shown = required.length > 0 ? required : ['q', 'locale', 'limit'].filter((name) => name in properties)
  const example = exampleOf(row.query) as Readonly<Record<string, unknown>>
  return Object.fromEntries(shown.map((name) => [name, example[name]]))
}

function queryOf(row: Operation): string {
  const pairs = Object.entries(queryExampleOf(row)).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Whether a call needs a proof of possession. */
export function isSigned({ auth, method }: Operation): boolean {
  return auth.kind === 'senderConstrained' || (auth.kind === 'installation' && method !== 'GET')
}

/** The request as a curl command. If it has to be signed, it uses `proof` of the curl guide. */
export function curlOf(row: Operation): string {
  const url = LOCAL + pathWithExamples(row)
  const { auth } = row
  const parts = [
    `curl${row.method === 'GET' ? '' : ` -X ${row.method}`} ${quoted(url + queryOf(row))}`,
    auth.kind !== 'public' &&
      auth.kind !== 'oauth' &&
      `-H "Authorization: ${isSigned(row) ? 'DPoP $VITRINE_KEY' : 'Bearer $READ_KEY'}"`,
    isSigned(row) && `-H "DPoP: $(proof ${row.method} ${quoted(url)})"`,
    row.idempotency === 'required' && `-H 'Idempotency-Key: 3b2c0f5e-9a3f-4f0f-8d8e-6f3b2c0f5e9a'`,
    row.body !== null && `-H 'Content-Type: application/json'`,
    row.body !== null && `-d ${quoted(JSON.stringify(smallExampleOf(row.body)))}`,
  ]
  return parts.filter((part) => part !== false).join(' \\\n  ')
}

/** The call with the SDK. `shop` is a client. */
export function sdkCallOf(id: string, row: Operation): string {
  const hasParams = Object.keys(row.params.properties).length > 0
  const query = queryExampleOf(row)
  const input = {
    ...(hasParams && { params: exampleOf(row.params) }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(row.body && { body: smallExampleOf(row.body) }),
  }
  const text = Object.keys(input).length === 0 ? '' : literal(input)
  return `const answer = await shop.${id}(${text})`
}

const LINE_MAX = 60

/** A value as a TypeScript literal, on one line if it is short. */
function literal(value: unknown, indent = ''): string {
  const short = inOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + short.length <= LINE_MAX) return short
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`
  const members = Object.entries(value).map(([name, each]) => `${inner}${nameOf(name)}: ${literal(each, inner)},\n`)
  return `{\n${members.join('')}${indent}}`
}

function inOneLine(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, each]) => `${nameOf(name)}: ${inOneLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : inOneLine(name))
