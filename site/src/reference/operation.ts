import { type Operation, type RefusalCode, refusals, refusalsOf } from '@vitrine/contract'
import { answerExampleOf } from '@vitrine/contract/openapi'
import { codeBlock } from '../highlight.ts'
import { type Html, html } from '../html.ts'
import { type Page, relativeLink, type Section } from '../page.ts'
import { curlOf, isSigned, sdkCallOf } from './examples.ts'
import { credentialOf, factsOf } from './facts.ts'
import { fieldList, inlineCode, membersOf } from './fields.ts'
import { tryIt } from './try-it.ts'

const ROOT = '../'

const ADVICE: Readonly<Record<string, string>> = {
  do_not_retry: 'Do not send it again.',
  fix_request: 'Correct the request.',
  reauthenticate: 'Get a valid credential or proof, then send it again.',
  same_key: 'Send it again with the same idempotency key.',
  new_key: 'Send it with a new idempotency key.',
  same_request_later: 'Send the same request later.',
  refresh_state: 'Read the current state, then decide again.',
}

interface Part {
  readonly id: string
  readonly title: string
  readonly content: Html
  /** The text for the search index. */
  readonly text: string
}

/** The page of one operation. */
export function operationPage(id: string, row: Operation): Page {
  const parts = partsOf(row)
  const path = `reference/${id}.html`
  const head: Section = {
    depth: 1,
    id: '',
    title: id,
    text: `${row.summary} ${row.description} ${row.method} ${row.path}`,
  }
  const body = html`<h1 id="${id}">${id}</h1>
<p class="lead">${row.summary.replace(/\.$/, '')}</p>
<p class="endpoint"><span class="method ${row.method.toLowerCase()}">${row.method}</span> <code>${row.path}</code></p>
<p>${inlineCode(row.description)}</p>
<dl class="facts">${factsOf(row).map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
${tryIt(id, row)}
${parts.map(
  (part) =>
    html`<section><h2 id="${part.id}">${part.title}<a class="anchor" href="#${part.id}" aria-label="Link to this section">#</a></h2>${part.content}</section>`,
)}`
  const sections = [head, ...parts.map(({ id, title, text }) => ({ depth: 2, id, title, text }))]
  return {
    path,
    title: id,
    description: row.summary,
    body,
    sections,
    markdown: markdownOf(id, row),
    aside: examples(id, row, path),
  }
}

function partsOf(row: Operation): readonly Part[] {
  const sent = { side: 'sent', root: ROOT } as const
  const received = { side: 'received', root: ROOT } as const
  const { params, query, body, data, meta } = row
  const part = (id: string, title: string, schema: Operation['data'], place: typeof sent | typeof received): Part => ({
    id,
    title,
    content: fieldsOf(schema, place),
    text: membersOf(schema)
      .map(({ name }) => name)
      .join(' '),
  })
  return [
    ...(membersOf(params).length > 0 ? [part('path-parameters', 'Path parameters', params, sent)] : []),
    ...(membersOf(query).length > 0 ? [part('query-parameters', 'Query parameters', query, sent)] : []),
    ...(body ? [part('body', 'Body', body, sent)] : []),
    part('answer', 'Answer: data', data, received),
    ...(meta ? [part('meta', 'Answer: meta', meta, received)] : []),
    {
      id: 'refusals',
      title: 'Refusals',
      content: refusalLists(row),
      text: refusalsOf(row).join(' '),
    },
  ]
}

/** Members of an object, of each item of a list, or of each alternative. */
function fieldsOf(schema: Operation['data'], place: Parameters<typeof fieldList>[1]): Html {
  const { items, anyOf, description } = schema as {
    items?: Operation['data']
    anyOf?: Operation['data'][]
    description?: string
  }
  const about = description !== undefined && html`<p>${inlineCode(description)}</p>`
  if (items) return html`${about}<p class="note">An array. Each item has:</p>${fieldList(items, place)}`
  if (anyOf)
    return html`${about}${anyOf.map((each, index) => html`<h3>Alternative ${index + 1}</h3>${fieldsOf(each, place)}`)}`
  if (membersOf(schema).length === 0) return html`${about}<p class="note">No fields.</p>`
  return html`${about}${fieldList(schema, place)}`
}

/** The refusals. Those of credentials, limits and parsing come first, and are folded because many operations share them. */
function refusalLists(row: Operation): Html {
  const own = new Set(row.refusals)
  const [shared, specific] = [false, true].map((isOwn) => refusalsOf(row).filter((code) => own.has(code) === isOwn))
  return html`<p>If more than one applies, the first is returned. Nothing has happened (<code>outcome</code> is <code>not_applied</code>)${
    row.method !== 'GET' && html`; after a 500 or 503 it may be <code>unknown</code>`
  }.</p>
<details class="nested"><summary>Credentials, limits and parsing (${shared!.length})</summary>${refusalList(shared!)}</details>${
    specific!.length > 0 && refusalList(specific!)
  }`
}

function refusalList(codes: readonly RefusalCode[]): Html {
  const items = codes.map((code) => {
    const { status, message, advice } = refusals[code]
    return html`<li><p class="field"><span class="method">${status}</span><a href="refusals.html#${code}"><code class="name">${code}</code></a></p><p>${message} ${ADVICE[advice]}</p><p class="limits"><code>retry.advice</code> ${advice}</p></li>`
  })
  return html`<ul class="fields">${items}</ul>`
}

function examples(id: string, row: Operation, path: string): Html {
  const curl = relativeLink(path, 'guides/curl.html')
  return html`<h2 class="label">curl</h2>${codeBlock(curlOf(row), 'sh', 'Example for curl')}${
    isSigned(row) && html`<p class="note"><code>proof</code> signs the request: <a href="${curl}">curl</a>.</p>`
  }<h2 class="label">TypeScript</h2>${codeBlock(sdkCallOf(id, row), 'ts', 'Example for TypeScript')}<h2 class="label">Answer</h2>${codeBlock(
    JSON.stringify(answerExampleOf(row), null, 2),
    'json',
    'Example of an answer',
  )}`
}

/** The operation as Markdown, for programs. */
function markdownOf(id: string, row: Operation): string {
  const names = (schema: Operation['data']) =>
    membersOf(schema).map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`)
  const line = (label: string, schema: Operation['data'] | null) =>
    schema && names(schema).length > 0 ? [`- ${label}: ${names(schema).join(', ')}`] : []
  return [
    `# ${id}`,
    '',
    `\`${row.method} ${row.path}\``,
    '',
    `${row.summary} ${row.description}`,
    '',
    `- Credential: ${credentialOf(row)}`,
    `- Idempotency-Key: ${row.idempotency}`,
    ...line('Path', row.params),
    ...line('Query', row.query),
    ...line('Body', row.body),
    ...line('Data', row.data),
    `- Refusals: ${refusalsOf(row).join(', ')}`,
    '',
    '```sh',
    curlOf(row),
    '```',
    '',
    '```ts',
    sdkCallOf(id, row),
    '```',
    '',
  ].join('\n')
}
