import { join } from 'node:path'
import {
  type Auth,
  type EventKind,
  eventData,
  eventKinds,
  exampleOf,
  faultCodes,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type RefusalCode,
  refusalCodes,
  refusals,
  refusalsOf,
} from '@vitrine/contract'
import { answerExampleOf, openapiDocument } from '@vitrine/contract/openapi'
import { CatalogLine } from '../server/src/features/catalog/writing/line-schema.ts'
import { OrderLineForm } from '../server/src/features/orders/import/line-schema.ts'

/** The document of the tree, with a placeholder for its address. */
export const currentDocument = () => openapiDocument({ serverUrl: 'https://storefront.example' })

/** More operations than these are counted, not named. */
const OPERATIONS_NAMED_MAX = 16

const anchor = (code: RefusalCode) => `[${code}](../refusals.md#${code})`
const json = (value: unknown) => ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
const lines = (...sections: readonly (string | false)[]) =>
  `${sections.filter((section) => section !== false).join('\n')}\n`

function credentialOf(auth: Auth): string {
  const scopes = 'scopes' in auth ? auth.scopes.map((scope) => `\`${scope}\``).join(', ') : ''
  const needs = scopes ? `, scope ${scopes}` : ', no scope'
  switch (auth.kind) {
    case 'public':
      return 'None'
    case 'key':
      return `Any API key or access token${needs}`
    case 'senderConstrained':
      return `A bound API key or access token, with a DPoP proof${needs}`
    case 'installation':
      return 'Any credential of an installation'
    case 'oauth':
      return 'The OAuth endpoints’ own rules'
  }
}

/** The parameters of a row in words: `name`, place, what it is. */
function parameterLines(row: Operation): string[] {
  const inPath = Object.entries(row.params.properties).map(([name, schema]) => parameterLine(name, 'path', schema))
  const inQuery = Object.entries(row.query.properties).map(([name, schema]) => parameterLine(name, 'query', schema))
  const named =
    'patternProperties' in row.query
      ? ['| `option.<name>` | query | A value of the option. Repeat it for several. |']
      : []
  return [...inPath, ...inQuery, ...named]
}

function parameterLine(name: string, place: string, schema: object): string {
  return `| \`${name}\` | ${place} | ${(schema as { description?: string }).description ?? ''} |`
}

function refusalLines(row: Operation): string[] {
  return refusalsOf(row).map((code) => `| ${refusals[code].status} | ${anchor(code)} | ${refusals[code].message} |`)
}

function deprecationOf({ since, sunset, link }: NonNullable<Operation['deprecated']>): string {
  const until = sunset ? `ends on ${sunset.slice(0, 10)}` : 'its end is not set'
  return `since ${since.slice(0, 10)}, ${until}: [what to use instead](${link})`
}

/** The page of one operation. */
export function operationPage(id: OperationId, row: Operation): string {
  const parameters = parameterLines(row)
  return lines(
    `# ${id}`,
    '',
    `\`${row.method} ${row.path}\``,
    '',
    row.summary,
    row.description,
    '',
    '| | |',
    '|---|---|',
    `| Credential | ${credentialOf(row.auth)} |`,
    `| Stability | ${row.stability} |`,
    row.deprecated !== undefined && `| Deprecated | ${deprecationOf(row.deprecated)} |`,
    `| Idempotency | ${row.idempotency === 'required' ? '`Idempotency-Key` required' : 'none'} |`,
    ...Object.entries(row.secrets ?? {}).map(
      ([member, state]) => `| Shown once | \`${member}\`; a repetition has \`${state}: already_shown\` |`,
    ),
    `| Answer | \`${row.response}\` |`,
    row.gated === true && '| Gated | A store that is not open asks for `X-Store-Access` |',
    row.idSource === 'assigned' && '| Name | Ours; the interface gives none |',
    '',
    ...(parameters.length > 0 ? ['## Parameters', '', '| Name | In | |', '|---|---|---|', ...parameters, ''] : []),
    ...(row.body ? ['## Request', '', json(exampleOf(row.body)), ''] : []),
    '## Answer',
    '',
    json(answerExampleOf(row)),
    '',
    '## Refusals',
    '',
    'Where more than one applies, the first is answered.',
    '',
    '| Status | Code | |',
    '|---|---|---|',
    ...refusalLines(row),
  )
}

function refusalSection(code: RefusalCode): string {
  const { status, message, advice } = refusals[code]
  const by = Object.entries<Operation>(operations)
    .filter(([, row]) => refusalsOf(row).includes(code))
    .map(([id]) => `[${id}](operations/${id}.md)`)
  const answeredBy =
    by.length > OPERATIONS_NAMED_MAX ? `${by.length} of the ${operationIds.length} operations` : by.join(', ')
  return lines(
    `### ${code}`,
    '',
    `${status} · ${advice}`,
    '',
    message,
    '',
    faultCodes.includes(code) ? 'May be the answer of any operation.' : `Answered by ${answeredBy}.`,
  )
}

function refusalsPage(): string {
  const byStatus = Map.groupBy(refusalCodes, (code) => refusals[code].status)
  const sections = [...byStatus].map(([status, codes]) =>
    [`## ${status}`, '', codes.map(refusalSection).join('\n')].join('\n'),
  )
  return lines(
    '# Refusals',
    '',
    'Every answer that is not a success, by status. The word after the status is `retry.advice`. Codes never change.',
    '',
    sections.join('\n').trimEnd(),
  )
}

function eventsPage(): string {
  const rows = Object.entries(eventKinds).map(
    ([kind, { subject, description }]) =>
      `| \`${kind}\` | ${subject} | ${description} | ${dataOf(eventData[kind as EventKind])} |`,
  )
  return lines(
    '# Events',
    '',
    'What a webhook endpoint may be told of. `sequence` is gap-free for each object of the second column.',
    '',
    '| Kind | Of a | | Data |',
    '|---|---|---|---|',
    ...rows,
  )
}

/** The members of an event's data. Those with `?` may be absent. */
function dataOf({
  properties,
  required,
}: {
  readonly properties: object
  readonly required?: readonly string[]
}): string {
  return Object.keys(properties)
    .map((name) => `\`${name}${required?.includes(name) ? '' : '?'}\``)
    .join(', ')
}

/** The JSON schema of an import line, for editors and for programs that write such files. */
function lineSchema(title: string, form: object): string {
  const about = { $schema: 'https://json-schema.org/draft/2020-12/schema', title }
  return JSON.stringify({ ...about, ...form }, null, 2)
}

/** Every generated page by its path below docs/reference. */
export function referencePages(): ReadonlyMap<string, string> {
  const document = JSON.stringify(currentDocument(), null, 2)
  const operationPages = Object.entries<Operation>(operations).map(([id, row]): [string, string] => [
    join('operations', `${id}.md`),
    operationPage(id as OperationId, row),
  ])
  return new Map([
    ['openapi.json', `${document}\n`],
    ['catalog-line.schema.json', `${lineSchema('A catalog line', CatalogLine)}\n`],
    ['order-line.schema.json', `${lineSchema('An order line', OrderLineForm)}\n`],
    ['refusals.md', refusalsPage()],
    ['events.md', eventsPage()],
    ...operationPages,
  ])
}
