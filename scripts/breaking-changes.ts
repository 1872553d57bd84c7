/** Compares two interfaces of v1: OpenAPI documents with the schemas of events. @see docs/reference/compatibility.md */

/** A difference that can break a client of the earlier document. */
export interface BreakingChange {
  readonly kind: ChangeKind
  /** The operations or event kinds that it changes. */
  readonly operations: readonly string[]
  /** The place in a named schema, the request or a response: `Cart /status`, `request /quantity`, `200 /data`. */
  readonly pointer: string
  readonly detail: string
}

export type ChangeKind =
  | 'operation removed'
  | 'event removed'
  | 'operation renamed'
  | 'stability lowered'
  | 'authentication changed'
  | 'idempotency changed'
  | 'parameter removed'
  | 'parameter required'
  | 'parameter changed'
  | 'body refused'
  | 'body required'
  | 'media type removed'
  | 'status removed'
  | 'status added'
  | 'header removed'
  | 'field removed'
  | 'field required'
  | 'field optional'
  | 'fields closed'
  | 'fields opened'
  | 'type changed'
  | 'format changed'
  | 'pattern changed'
  | 'values removed'
  | 'values added'
  | 'limit tightened'
  | 'alternative removed'
  | 'alternative added'

// biome-ignore lint/suspicious/noExplicitAny: the documents are JSON of many shapes; each reader below names the one it expects.
export type Document = Record<string, any>
type Node = Document
type Direction = 'request' | 'response'

interface Comparison {
  readonly before: Document
  readonly after: Document
  readonly report: (kind: ChangeKind, pointer: string, detail: string) => void
  /** Pairs of named schemas that are compared once: a schema may contain itself. */
  readonly met: Set<string>
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** Every difference that can break a client. */
export function breakingChanges(before: Document, after: Document): BreakingChange[] {
  const namesByChange = new Map<string, Set<string>>()
  const comparisonOf = (name: string): Comparison => ({
    before,
    after,
    met: new Set(),
    report: (...change) => {
      const key = JSON.stringify(change)
      namesByChange.set(key, (namesByChange.get(key) ?? new Set()).add(name))
    },
  })
  for (const [path, item] of Object.entries<Node>(before.paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const comparison = comparisonOf(item[method].operationId)
      const now = after.paths[path]?.[method]
      if (now) compareOperations(comparison, item[method], now)
      else comparison.report('operation removed', `${method.toUpperCase()} ${path}`, 'gone')
    }
  }
  for (const [kind, schema] of Object.entries<Node>(before.events)) {
    const now = after.events[kind]
    if (now) compareSchemas(comparisonOf(kind), 'response', 'event', schema, now)
    else comparisonOf(kind).report('event removed', 'event', 'gone')
  }
  return [...namesByChange].map(([key, names]) => {
    const [kind, pointer, detail] = JSON.parse(key)
    return { kind, operations: [...names], pointer, detail }
  })
}

function compareOperations(comparison: Comparison, before: Node, after: Node): void {
  const { report } = comparison
  if (before.operationId !== after.operationId) report('operation renamed', '', after.operationId)
  if (before['x-stability'] === 'stable' && after['x-stability'] !== 'stable')
    report('stability lowered', '', 'candidate')
  const [mode, modeNow] = [before['x-idempotency']?.mode, after['x-idempotency']?.mode]
  if (mode !== modeNow) report('idempotency changed', '', `${mode} → ${modeNow}`)
  compareSecurity(comparison, before, after)
  compareParameters(comparison, before.parameters ?? [], after.parameters ?? [])
  compareBodies(comparison, before.requestBody, after.requestBody)
  compareResponses(comparison, before.responses, after.responses)
}

/** Each way to authenticate still works, with no further scope. */
function compareSecurity({ before, after, report }: Comparison, one: Node, other: Node): void {
  const ways = (operation: Node): Node[] => (operation.security?.length ? operation.security : [{}])
  for (const way of ways(one)) {
    const isKept = ways(other).some((each) => isIncluded(each, way))
    if (!isKept) report('authentication changed', '', Object.keys(way).join(' and ') || 'no credential')
    for (const name of Object.keys(way)) {
      const [scheme, schemeNow] = [before, after].map((document) => document.components.securitySchemes[name] ?? {})
      for (const member of ['type', 'scheme', 'in', 'name']) {
        if (scheme[member] !== schemeNow[member]) report('authentication changed', '', `${name}: ${member}`)
      }
    }
  }
}

function isIncluded(required: Node, offered: Node): boolean {
  return Object.entries<string[]>(required).every(
    ([scheme, scopes]) => scheme in offered && scopes.every((scope) => offered[scheme].includes(scope)),
  )
}

function compareParameters(comparison: Comparison, before: readonly Node[], after: readonly Node[]): void {
  const { report } = comparison
  const nameOf = (each: Node) => `${each.in} ${each.name}`
  for (const parameter of before) {
    const name = nameOf(parameter)
    const now = after.find((each) => nameOf(each) === name)
    if (!now) {
      report('parameter removed', name, 'gone')
      continue
    }
    if (now.required && !parameter.required) report('parameter required', name, 'was optional')
    for (const member of ['style', 'explode']) {
      if (now[member] !== parameter[member]) report('parameter changed', name, member)
    }
    compareSchemas(comparison, 'request', name, parameter.schema, now.schema)
  }
  for (const parameter of after) {
    const isNew = !before.some((each) => nameOf(each) === nameOf(parameter))
    if (isNew && parameter.required) report('parameter required', nameOf(parameter), 'is new')
  }
}

function compareBodies(comparison: Comparison, before: Node | undefined, after: Node | undefined): void {
  const { report } = comparison
  if (!before) {
    if (after?.required) report('body required', 'request', 'is new')
    return
  }
  if (!after) {
    report('body refused', 'request', 'no body is declared')
    return
  }
  if (after.required && !before.required) report('body required', 'request', 'was optional')
  compareContents(comparison, 'request', 'request', before.content, after.content)
}

function compareContents(comparison: Comparison, direction: Direction, at: string, before: Node, after: Node): void {
  for (const [type, { schema }] of Object.entries<Node>(before)) {
    const now = after[type]
    if (now) compareSchemas(comparison, direction, at, schema, now.schema)
    else comparison.report('media type removed', at, type)
  }
}

function compareResponses(comparison: Comparison, before: Node, after: Node): void {
  const { report } = comparison
  // Only a client that sends a condition receives 304.
  const added = Object.keys(after).filter((status) => !before[status] && status !== '304')
  for (const status of added) report('status added', status, 'is new')
  for (const [status, response] of Object.entries<Node>(before)) {
    if (!after[status]) {
      report('status removed', status, 'gone')
      continue
    }
    const [one, other] = [resolve(comparison.before, response), resolve(comparison.after, after[status])]
    for (const name of Object.keys(one.headers ?? {})) {
      if (!other.headers?.[name]) report('header removed', status, name)
    }
    compareContents(comparison, 'response', status, one.content ?? {}, other.content ?? {})
  }
}

function resolve(document: Document, node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const path = node.$ref.slice(2).split('/')
  return path.reduce((at, name) => at[name], document)
}

function compareSchemas(comparison: Comparison, direction: Direction, place: string, one: Node, other: Node): void {
  const [before, after] = [resolve(comparison.before, one), resolve(comparison.after, other)]
  let at = place
  if (one.$ref && other.$ref) {
    const pair = `${direction} ${one.$ref} ${other.$ref}`
    if (comparison.met.has(pair)) return
    comparison.met.add(pair)
    at = labelOf(one)
  }
  if (alternativesOf(before) || alternativesOf(after)) {
    compareAlternatives(comparison, direction, at, before, after)
    return
  }
  compareTypes(comparison, direction, at, before, after)
  compareValues(comparison, direction, at, before, after)
  if (direction === 'request') compareLimits(comparison, at, before, after)
  compareMembers(comparison, direction, at, before, after)
  if (before.items && after.items) compareSchemas(comparison, direction, joined(at, '[]'), before.items, after.items)
}

const alternativesOf = (schema: Node): Node[] | undefined => schema.anyOf ?? schema.oneOf
const labelOf = ({ $ref, type, required }: Node): string =>
  $ref?.split('/').at(-1) ?? type ?? required?.join('+') ?? 'any'

/** In a request every former alternative is still accepted; in a response every alternative existed before. */
function compareAlternatives(
  comparison: Comparison,
  direction: Direction,
  at: string,
  before: Node,
  after: Node,
): void {
  const [one, other] = [alternativesOf(before) ?? [before], alternativesOf(after) ?? [after]]
  const isRequest = direction === 'request'
  const [each, candidates] = isRequest ? [one, other] : [other, one]
  const isSameKind = (mine: Node, theirs: Node) => {
    const [was, is] = isRequest ? [mine, theirs] : [theirs, mine]
    return isAlike(resolve(comparison.before, was), resolve(comparison.after, is))
  }
  for (const mine of each) {
    const attempts = candidates
      .filter((theirs) => isSameKind(mine, theirs))
      .map((theirs) => {
        const changes: Parameters<Comparison['report']>[] = []
        const attempt = { ...comparison, met: new Set(comparison.met), report: collect(changes) }
        compareSchemas(attempt, direction, at, ...((isRequest ? [mine, theirs] : [theirs, mine]) as [Node, Node]))
        return changes
      })
    const [closest] = attempts.sort((left, right) => left.length - right.length)
    if (!closest) comparison.report(isRequest ? 'alternative removed' : 'alternative added', at, labelOf(mine))
    for (const change of closest ?? []) comparison.report(...change)
  }
}

function collect(changes: Parameters<Comparison['report']>[]): Comparison['report'] {
  return (...change) => {
    changes.push(change)
  }
}

/** Whether two alternatives have the same type, and the same constant where both have one. */
function isAlike(before: Node, after: Node): boolean {
  if (JSON.stringify(before.type) !== JSON.stringify(after.type)) return false
  const members = Object.entries<Node>(before.properties ?? {})
  return members.every(([name, { const: word }]) => {
    const wordNow = after.properties?.[name]?.const
    return word === undefined || wordNow === undefined || word === wordNow
  })
}

function compareTypes({ report }: Comparison, direction: Direction, at: string, before: Node, after: Node): void {
  const [from, to] = direction === 'request' ? [before, after] : [after, before]
  const types = (schema: Node) => [schema.type ?? []].flat() as string[]
  const isTaken =
    types(to).length === 0 || (types(from).length > 0 && types(from).every((each) => types(to).includes(each)))
  if (!isTaken) report('type changed', at, `${types(before).join('|')} → ${types(after).join('|') || 'any'}`)
  for (const [member, kind] of [
    ['format', 'format changed'],
    ['pattern', 'pattern changed'],
  ] as const) {
    // A string with known values is limited to them.
    if (to[member] !== undefined && from[member] !== to[member] && !valuesOf(from)) {
      report(kind, at, `${before[member]} → ${after[member]}`)
    }
  }
}

function valuesOf(schema: Node): unknown[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
}

function compareValues({ report }: Comparison, direction: Direction, at: string, before: Node, after: Node): void {
  const [from, to] = direction === 'request' ? [before, after] : [after, before]
  const allowed = valuesOf(to)
  if (!allowed) return
  const given = valuesOf(from)
  const open = from['x-extensible-enum'] ? 'x-extensible-enum' : 'any other'
  const others = given ? given.filter((each) => !allowed.includes(each)) : [open]
  if (others.length > 0) report(direction === 'request' ? 'values removed' : 'values added', at, others.join(', '))
}

function compareLimits({ report }: Comparison, at: string, before: Node, after: Node): void {
  for (const [member, sign] of Object.entries(LIMITS)) {
    const [was, is] = [before[member], after[member]]
    if (is === undefined || valuesOf(before)) continue
    const isTighter = was === undefined ? !(sign < 0 && is === 0) : (is - was) * sign < 0
    if (isTighter) report('limit tightened', at, `${member} ${was ?? 'none'} → ${is}`)
  }
}

/** `1`: a lower value is tighter. */
const LIMITS: Readonly<Record<string, 1 | -1>> = {
  maxLength: 1,
  maxItems: 1,
  maximum: 1,
  maxProperties: 1,
  minLength: -1,
  minItems: -1,
  minimum: -1,
  minProperties: -1,
}

function compareMembers(comparison: Comparison, direction: Direction, at: string, before: Node, after: Node): void {
  const { report } = comparison
  const isRequest = direction === 'request'
  const [wasClosed, isClosed] = [before, after].map((schema) => schema.additionalProperties === false)
  if (isRequest && isClosed && !wasClosed && before.type === 'object') report('fields closed', at, 'others are refused')
  if (!isRequest && wasClosed && !isClosed) report('fields opened', at, 'others may come')
  for (const map of ['properties', 'patternProperties']) {
    const [members, membersNow]: Node[] = [before[map] ?? {}, after[map] ?? {}]
    for (const [name, schema] of Object.entries<Node>(members ?? {})) {
      const now = membersNow?.[name]
      if (now) compareSchemas(comparison, direction, joined(at, name), schema, now)
      else if (!isRequest || isClosed) report('field removed', joined(at, name), 'gone')
    }
  }
  const [required, requiredNow]: string[][] = [before.required ?? [], after.required ?? []]
  const [from, to] = isRequest ? [required, requiredNow] : [requiredNow, required]
  for (const name of to ?? []) {
    if (from?.includes(name) || (!isRequest && !after.properties?.[name])) continue
    report(isRequest ? 'field required' : 'field optional', joined(at, name), isRequest ? 'was not' : 'was required')
  }
}

const joined = (at: string, name: string) => (at.includes(' /') ? `${at}/${name}` : `${at} /${name}`)
