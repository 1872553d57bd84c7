import {
  type EventKind,
  eventData,
  eventKinds,
  faultCodes,
  type Operation,
  operationIds,
  operations,
  type RefusalCode,
  refusalCodes,
  refusals,
  refusalsOf,
} from '@vitrine/contract'
import { openapiDocument } from '@vitrine/contract/openapi'
import { CatalogLine } from '../server/src/features/catalog/writing/line-schema.ts'
import { OrderLineForm } from '../server/src/features/orders/import/line-schema.ts'

/** The document of the tree, with a placeholder for its address. */
export const currentDocument = () => openapiDocument({ serverUrl: 'https://storefront.example' })

/** More operations than these are counted, not named. */
const OPERATIONS_NAMED_MAX = 16

const lines = (...sections: readonly (string | false)[]) =>
  `${sections.filter((section) => section !== false).join('\n')}\n`

function refusalSection(code: RefusalCode): string {
  const { status, message, advice } = refusals[code]
  const by = Object.entries<Operation>(operations)
    .filter(([, row]) => refusalsOf(row).includes(code))
    .map(([id]) => `\`${id}\``)
  const returnedBy =
    by.length > OPERATIONS_NAMED_MAX ? `${by.length} of the ${operationIds.length} operations` : by.join(', ')
  return lines(
    `### ${code}`,
    '',
    `${status} · ${advice}`,
    '',
    message,
    '',
    faultCodes.includes(code) ? 'Any operation may return it.' : `Returned by ${returnedBy}.`,
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
    'Every error response, by status. The word after the status is `retry.advice`. Codes never change.',
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
    'The events that a webhook endpoint can receive. `sequence` is gap-free for each object of the second column.',
    '',
    '| Kind | Object | | Data |',
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
  return new Map([
    ['openapi.json', `${document}\n`],
    ['catalog-line.schema.json', `${lineSchema('A catalog line', CatalogLine)}\n`],
    ['order-line.schema.json', `${lineSchema('An order line', OrderLineForm)}\n`],
    ['refusals.md', refusalsPage()],
    ['events.md', eventsPage()],
  ])
}
