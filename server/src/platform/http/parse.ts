import {
  type InputOf,
  OPTION_FILTERS,
  type ParsedRow,
  type PublicErrorDetail,
  type RefusalCode,
  refusals,
} from '@vitrine/contract'
import type { TSchema } from 'typebox'
import { refuse } from '../../kernel/refusal.ts'
import { repeatedMember } from './repeated-member.ts'
import {
  checker,
  checkerOf,
  closestAlternatives,
  escapePointer,
  faultyPart,
  type Part,
  type SchemaFailure,
  VALUES_REPORTED_MAX,
} from './schema-check.ts'

type Place = PublicErrorDetail['in']
const DETAILS_MAX = 20
/** As in an error response. The caller controls the nesting, and so the length of a pointer. */
const POINTER_CHARACTERS_MAX = 1000
/** The error code for each keyword of JSON Schema. */
const detailCodes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  required: 'required',
  type: 'wrong_type',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  multipleOf: 'out_of_range',
  minLength: 'wrong_length',
  maxLength: 'wrong_length',
  minItems: 'wrong_length',
  maxItems: 'wrong_length',
  minProperties: 'wrong_length',
  maxProperties: 'wrong_length',
  uniqueItems: 'not_unique',
  pattern: 'wrong_format',
  format: 'wrong_format',
  enum: 'not_allowed',
  const: 'not_allowed',
}

/** Keywords that only repeat a failure below them. */
const summaries = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'boolean', '~guard', '~refine'])

const SENT_TWICE = { code: 'not_unique', message: 'Send it once.' }

function namesIn(params: object, member: string): readonly string[] {
  const names: unknown = (params as Record<string, unknown>)[member]
  return Array.isArray(names) ? names.map(String) : []
}

function detailsOf(failure: SchemaFailure, place: Place, schema: TSchema): PublicErrorDetail[] {
  const { keyword, instancePath, params, message } = failure
  const code = detailCodes[keyword] ?? 'invalid'
  const at = (name: string) => `${instancePath}/${escapePointer(name)}`
  if (keyword === 'additionalProperties') {
    return namesIn(params, 'additionalProperties').map((name) => ({
      in: place,
      pointer: at(name),
      code: place === 'query' ? 'unknown_parameter' : code,
      message: `Unknown: ${name}.`,
    }))
  }
  if (keyword === 'required') {
    return namesIn(params, 'requiredProperties').map((name) => ({
      in: place,
      pointer: at(name),
      code,
      message: `${name} is required.`,
    }))
  }
  const bounds = boundsOf(schemaAt(schema, instancePath))
  if (code === 'out_of_range' && bounds) {
    return [
      {
        in: place,
        pointer: instancePath,
        code,
        message: `Must be from ${bounds.min} to ${bounds.max}.`,
        params: bounds,
      },
    ]
  }
  const sentence = allowedOf(failure) ?? `This ${message}.`
  return [{ in: place, pointer: instancePath, code, message: sentence, ...scalars(params) }]
}

/** Longer lists are left to the reference. */
const ALLOWED_LENGTH_MAX = 500

/** The values that the schema allows, unless they are too many to name. */
function allowedOf({ keyword, params }: SchemaFailure): string | null {
  if (keyword !== 'enum' && keyword !== 'const') return null
  const { allowedValue, allowedValues = [allowedValue] } = params as {
    allowedValue?: unknown
    allowedValues?: unknown[]
  }
  const sentence = `Must be one of: ${allowedValues.join(', ')}.`
  return sentence.length <= ALLOWED_LENGTH_MAX ? sentence : null
}

/** The values of a keyword, such as `limit: 64`, for clients with their own messages. */
function scalars(params: object): { params?: Record<string, string | number | boolean> } {
  const entries = Object.entries(params).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return entries.length ? { params: Object.fromEntries(entries) } : {}
}

function boundsOf(schema: unknown): { min: number; max: number } | null {
  const { minimum, maximum } = (schema ?? {}) as { minimum?: number; maximum?: number }
  return minimum === undefined || maximum === undefined ? null : { min: minimum, max: maximum }
}

/** The schema at a JSON pointer, as far as it is unambiguous. */
function schemaAt(schema: TSchema, pointer: string): unknown {
  let at: unknown = schema
  for (const name of pointer.split('/').slice(1)) {
    const node = at as { properties?: Record<string, unknown>; items?: unknown } | undefined
    at = node?.properties?.[name] ?? (/^\d+$/.test(name) ? node?.items : undefined)
  }
  return at
}

/** The code of the response: the `x-refusal` of the schema, else by place and kind. */
function codeOf(details: readonly PublicErrorDetail[], place: Place, schema: TSchema): RefusalCode {
  if (details.some((detail) => detail.code === 'unknown_field')) return 'unknown_field'
  if (details.some((detail) => detail.code === 'unknown_parameter')) return 'unknown_parameter'
  if (place === 'path') return 'invalid_identifier'
  const first = details[0]
  return (first && ownRefusal(schema, first.pointer)) ?? 'validation_failed'
}

/** A property may define the refusal for its violation: `Type.Integer({ 'x-refusal': 'quantity_invalid' })`. */
function ownRefusal(schema: TSchema, pointer: string): RefusalCode | undefined {
  const code = (schemaAt(schema, pointer) as { 'x-refusal'?: string } | undefined)?.['x-refusal']
  return code !== undefined && Object.hasOwn(refusals, code) ? (code as RefusalCode) : undefined
}

/**
 * Refuses a value that violates its schema, with the place and the reason of each fault.
 *
 * @param areTexts whether the members are parameters or fields of a form: one that was sent several times is a list
 */
export function validate(
  check: ReturnType<typeof checker>,
  schema: TSchema,
  place: Place,
  value: unknown,
  areTexts = place === 'query',
): void {
  if (check.passes(value)) return
  if (areTexts) refuseRepeated(schema, place, value as Readonly<Record<string, unknown>>)
  const alternative = alternativeOf(schema, value)
  if (alternative) {
    refuseMixed(schema, alternative, place, value)
    validate(checkerOf(alternative), alternative, place, value)
  }
  const part = faultyPart({ schema, value, pointer: '' })
  const details = detailsOfPart(part, place)
    .slice(0, DETAILS_MAX)
    .map((detail) => ({ ...detail, pointer: part.pointer + detail.pointer }))
  refuse(codeOf(details, place, schema), { details })
}

function refuseRepeated(schema: TSchema, place: Place, value: Readonly<Record<string, unknown>>): void {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const names = Object.keys(properties).filter(
    (name) => properties[name]?.type !== 'array' && Array.isArray(value[name]),
  )
  if (names.length === 0) return
  refuse('validation_failed', {
    details: names.map((name) => ({ in: place, pointer: `/${escapePointer(name)}`, ...SENT_TWICE })),
  })
}

function detailsOfPart({ schema, value }: Part, place: Place): PublicErrorDetail[] {
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  const limit = Array.isArray(value) ? (schema as { maxItems?: number }).maxItems : undefined
  if (limit !== undefined && size > limit) {
    const message = `This must not have more than ${limit} items.`
    return [{ in: place, pointer: '', code: 'wrong_length', message, params: { limit } }]
  }
  if (size > VALUES_REPORTED_MAX) {
    const message = `Must contain at most ${VALUES_REPORTED_MAX} values.`
    return [{ in: place, pointer: '', code: 'too_large', message, params: { max: VALUES_REPORTED_MAX } }]
  }
  const failures = closestAlternatives(checkerOf(schema).failures(value))
  const specific = failures.filter((failure) => !summaries.has(failure.keyword))
  return (specific.length > 0 ? specific : failures).flatMap((failure) => detailsOf(failure, place, schema))
}

interface Alternative extends TSchema {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

function alternativesIn(schema: TSchema): readonly Alternative[] {
  const { anyOf = [] } = schema as { anyOf?: readonly Alternative[] }
  return anyOf.every(({ properties }) => properties !== undefined) ? anyOf : []
}

/** The alternative with a required member that only it has and the value has; else the first, whose missing members are then listed. */
function alternativeOf(schema: TSchema, value: unknown): Alternative | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const all = alternativesIn(schema)
  const own = (each: Alternative) =>
    each.required?.filter((name) => all.every((other) => other === each || !Object.hasOwn(other.properties, name)))
  return all.find((each) => own(each)?.some((name) => Object.hasOwn(value, name))) ?? all[0]
}

/** Refuses members of another alternative: they are known, but cannot be combined with the members of this one. */
function refuseMixed(schema: TSchema, alternative: Alternative, place: Place, value: unknown): void {
  const known = new Set(alternativesIn(schema).flatMap(({ properties }) => Object.keys(properties)))
  const mixed = Object.keys(value as object).filter(
    (name) => known.has(name) && !Object.hasOwn(alternative.properties, name),
  )
  if (mixed.length === 0) return
  const message = `Cannot be sent with ${alternative.required?.[0] ?? 'the other members'}.`
  refuse('validation_failed', {
    details: mixed.map((name) => ({ in: place, pointer: `/${name}`, code: 'not_allowed', message })),
  })
}

/** Converts query parameters to the types of their schema, if the text allows it. */
export function readQuery(schema: TSchema, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {}
  const patterns = Object.entries((schema as { patternProperties?: Record<string, TSchema> }).patternProperties ?? {})
  const byPattern = (name: string) => patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1]
  const entries = Object.entries(raw).map(([sent, value]): [string, unknown] => {
    const nested = NESTED.exec(sent)?.[1]
    const name = nested !== undefined && byPattern(nested) ? nested : sent
    const property = properties[name] ?? byPattern(name)
    return [name, property ? readParameter(property, value) : value]
  })
  return joined(entries)
}

/** Some generated clients nest the members of an object parameter, whatever style the document declares. */
const NESTED = new RegExp(`^${OPTION_FILTERS}\\[(.+)\\]$`)

/** The entries as an object. The lists of a parameter that was sent in both forms are joined. */
function joined(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  if (entries.length === new Set(entries.map(([name]) => name)).size) return Object.fromEntries(entries)
  const byName = Map.groupBy(entries, ([name]) => name)
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.flatMap(([, value]) => value)]))
}

function readParameter(schema: TSchema, value: unknown): unknown {
  const { type } = schema as { type?: string }
  if (type === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const JSON_MEDIA_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

function readJson(contentType: string | undefined, bytes: Buffer | null, mediaTypes: string): unknown {
  if (bytes === null || bytes.length === 0) {
    refuse('invalid_json', {
      details: [
        { in: 'body', pointer: '', code: 'required', message: 'A JSON body is required. Send {} if it is empty.' },
      ],
    })
  }
  if (contentType === undefined || !JSON_MEDIA_TYPE.test(contentType)) {
    refuse('unsupported_media_type', {
      details: [
        { in: 'header', pointer: 'Content-Type', code: 'not_allowed', message: `Send ${mediaTypes} in UTF-8.` },
      ],
    })
  }
  const text = decoded(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The parser quotes the body, which may be anything.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    const message = `The body is not valid JSON${position === undefined ? '' : `: look at character ${position}`}.`
    refuse('invalid_json', { details: [{ in: 'body', pointer: '', code: 'invalid', message }] })
  }
  // The bytes are valid UTF-8: only an escape can be half a pair.
  if (/\\ud[89a-f]/i.test(text)) refuseHalfPairs(value)
  const pointer = repeatedMember(text)?.slice(0, POINTER_CHARACTERS_MAX)
  if (pointer !== undefined) refuse('validation_failed', { details: [{ in: 'body', pointer, ...SENT_TWICE }] })
  return value
}

/** Decodes the bytes of a body. Refusal: `invalid_json`. */
function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const message = 'The body is not UTF-8.'
    return refuse('invalid_json', { details: [{ in: 'body', pointer: '', code: 'invalid', message }] })
  }
}

/**
 * Refuses a string with half a surrogate pair, which is not valid Unicode: PostgreSQL cannot store it, and UTF-8 replaces it silently.
 *
 * @see RFC 8259 §8.2
 */
function refuseHalfPairs(value: unknown): void {
  const waiting: [unknown, string][] = [[value, '']]
  const details: PublicErrorDetail[] = []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [each, pointer] = next
    if (typeof each === 'string' && !each.isWellFormed()) {
      details.push({ in: 'body', pointer, code: 'wrong_format', message: 'This contains half of a surrogate pair.' })
    }
    if (typeof each !== 'object' || each === null) continue
    for (const [name, inner] of Object.entries(each)) {
      waiting.push([inner, `${pointer.slice(0, POINTER_CHARACTERS_MAX)}/${escapePointer(name)}`])
    }
  }
  if (details.length > 0) refuse('validation_failed', { details })
}

const FORM_MEDIA_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** A form as an object: a string per field, or a list for a repeated field. */
function readForm(bytes: Buffer | null): unknown {
  const text = bytes === null ? '' : decoded(bytes)
  refuseBrokenEscapes(text, 'body')
  const fields = new URLSearchParams(text)
  return withoutEmpty(
    Object.fromEntries(
      [...new Set(fields.keys())].map((name) => {
        const values = fields.getAll(name)
        return [name, values.length === 1 ? values[0] : values]
      }),
    ),
  )
}

/** Refuses escapes that are not UTF-8, which decoders keep or replace silently. @see RFC 3986 §2.5 */
function refuseBrokenEscapes(text: string, place: 'query' | 'body'): void {
  if (!text.includes('%')) return
  const details = text.split('&').flatMap((field): PublicErrorDetail[] => {
    if (isDecodable(field)) return []
    const [name = ''] = field.split('=', 1)
    const pointer = isDecodable(name) ? `/${escapePointer(decodeURIComponent(name))}` : ''
    return [{ in: place, pointer, code: 'wrong_format', message: 'Percent-encode the UTF-8 bytes of the text.' }]
  })
  if (details.length > 0) refuse('validation_failed', { details: details.slice(0, DETAILS_MAX) })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** "Parameters sent without a value MUST be treated as if they were omitted from the request." @see RFC 6749 §3.1, 3.2 */
function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** Unvalidated input. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** The request target, whose query is checked for broken escapes. */
  readonly url: string
  readonly contentType: string | undefined
  readonly contentEncoding?: string | undefined
  readonly bytes: Buffer | null
}

function refuseBody(): never {
  const message = 'This operation takes no body.'
  refuse('validation_failed', { details: [{ in: 'body', pointer: '', code: 'not_allowed', message }] })
}

/** Compressed bodies are not supported: a megabyte could become a thousand. @see RFC 9110 §8.4 */
function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || /^\s*(identity)?\s*$/i.test(contentEncoding)) return
  const message = 'Send the body without a content coding.'
  refuse('unsupported_media_type', {
    details: [{ in: 'header', pointer: 'Content-Encoding', code: 'not_allowed', message }],
  })
}

/**
 * Creates the parser of a row: closed schemas, and the exact place of each failure.
 *
 * Refusals: `invalid_identifier`, `unknown_parameter`, `unsupported_media_type`, `invalid_json`, `unknown_field`,
 * `validation_failed`, and the `x-refusal` of a property.
 */
export function parserOf<Row extends ParsedRow>(row: Row): (raw: RawInput) => InputOf<Row> {
  const querySchema = row.undeclaredQuery ?? row.query
  const params = checker(row.params)
  const query = checker(querySchema)
  const body = row.body && checker(row.body)
  const isOAuth = row.auth.kind === 'oauth'
  const mediaTypes = isOAuth ? 'application/x-www-form-urlencoded or application/json' : 'application/json'
  return (raw) => {
    validate(params, row.params, 'path', raw.params)
    refuseBrokenEscapes(raw.url.slice(raw.url.indexOf('?') + 1 || raw.url.length), 'query')
    const queryValue = readQuery(querySchema, isOAuth ? withoutEmpty(raw.query) : raw.query)
    validate(query, querySchema, 'query', queryValue)
    if (!row.body || !body) {
      if (raw.bytes !== null && raw.bytes.length > 0) refuseBody()
      return { params: raw.params, query: queryValue, body: null } as InputOf<Row>
    }
    refuseEncoded(raw.contentEncoding)
    const isForm = isOAuth && FORM_MEDIA_TYPE.test(raw.contentType ?? '')
    const value = isForm ? readForm(raw.bytes) : readJson(raw.contentType, raw.bytes, mediaTypes)
    validate(body, row.body, 'body', value, isForm)
    return { params: raw.params, query: queryValue, body: value } as InputOf<Row>
  }
}
