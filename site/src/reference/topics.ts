import { type Operation, operations } from '@vitrine/contract'
import { openapiDocument } from '@vitrine/contract/openapi'
import { schemasByName } from '../../../contract/src/schemas/primitives.ts'
import { anchorOf, type Html, html } from '../html.ts'
import type { Page } from '../page.ts'
import { COMMON, fieldList, inlineCode, OBJECTS_PAGE } from './fields.ts'

/** The operations of one tag of the OpenAPI document. */
export interface Topic {
  readonly name: string
  readonly description: string
  /** The path of its page. */
  readonly path: string
  readonly rows: readonly (readonly [id: string, row: Operation])[]
}

/** The topics, in the order of the OpenAPI document. */
export const TOPICS: readonly Topic[] = topics()

function topics(): Topic[] {
  const { tags } = openapiDocument({ serverUrl: 'https://storefront.example' }) as unknown as {
    readonly tags: readonly { readonly name: string; readonly description: string }[]
  }
  const rows = Object.entries<Operation>(operations)
  return tags.map(({ name, description }) => ({
    name,
    description,
    path: `reference/topic-${anchorOf(name)}.html`,
    rows: rows.filter(([, row]) => row.tag === name),
  }))
}

/** The index of a topic. */
export function topicPage({ name, description, path, rows }: Topic): Page {
  const body = html`<h1 id="${anchorOf(name)}">${name}</h1><p class="lead">${inlineCode(description)}</p>${operationTable(rows)}`
  return page(path, name, description, body)
}

/** The index of all topics. */
export function referenceIndex(): Page {
  const about = `Every one of the ${Object.keys(operations).length} public operations, generated from the contract.`
  const body = html`<h1 id="api-reference">API reference</h1><p class="lead">${about}</p>
<p>Paths are relative to the address of the public door: <code>http://127.0.0.1:8080</code> after <code>npm start</code>. Bodies are JSON. A success is 200 with <code>data</code>; an error says what happened and what to do next: <a href="refusals.html">refusals</a>. The same facts as a file for tools: <a href="../openapi.json">openapi.json</a>.</p>
${TOPICS.map(({ name, description, rows, path }) => html`<h2 id="${anchorOf(name)}"><a href="../${path}">${name}</a></h2><p>${inlineCode(description)}</p>${operationTable(rows)}`)}`
  return page('reference/index.html', 'API reference', about, body)
}

function operationTable(rows: Topic['rows']): Html {
  return html`<ul class="operations">${rows.map(
    ([id, row]) =>
      html`<li><a href="${id}.html"><span class="method ${row.method.toLowerCase()}">${row.method}</span> <code>${row.path.replace('/api/v1', '')}</code></a> <span>${row.summary}</span></li>`,
  )}</ul>`
}

/** The page of the common objects. */
export function objectsPage(): Page {
  const about = 'Objects that are part of many requests and answers.'
  const objects = COMMON.map((name) => {
    const schema = schemasByName().get(name)!
    const { description = '' } = schema as { readonly description?: string }
    return html`<section><h2 id="${anchorOf(name)}">${name}<a class="anchor" href="#${anchorOf(name)}" aria-label="Link to this section">#</a></h2><p>${inlineCode(description)}</p>${fieldList(
      schema,
      { side: 'sent', root: '../' },
    )}</section>`
  })
  const body = html`<h1 id="objects">Common objects</h1><p class="lead">${about}</p>${objects}`
  const sections = COMMON.map((name) => ({ depth: 2, id: anchorOf(name), title: name, text: '' }))
  return {
    ...page(OBJECTS_PAGE, 'Common objects', about, body),
    sections: [{ depth: 1, id: 'objects', title: 'Common objects', text: about }, ...sections],
  }
}

function page(path: string, title: string, description: string, body: Html): Page {
  return { path, title, description, body, sections: [{ depth: 1, id: '', title, text: description }], markdown: '' }
}
