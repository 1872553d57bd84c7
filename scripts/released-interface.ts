import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventBody, eventKindNames, publishedSchema } from '@vitrine/contract'
import type { Document } from './breaking-changes.ts'
import { currentDocument } from './reference-pages.ts'

/** The interface of the last release and of the tree: the document and the events, without texts and examples. */

const FILE = join(import.meta.dirname, '..', 'docs', 'reference', 'openapi.released.json')
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'info', 'servers', 'links'])
const OURS = new Set(['x-refusals', 'x-id-source', 'x-shown-once', 'externalDocs'])
/** The members of these are names, never keywords. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'headers',
  'responses',
  'content',
  'paths',
  'scopes',
  'events',
])

/** The interface of the tree. */
export function currentInterface(): Document {
  const events = eventKindNames.map((kind) => [kind, publishedSchema(eventBody(kind), 'open')])
  const whole = { ...currentDocument(), events: Object.fromEntries(events) }
  // By way of JSON, as a client reads it.
  return withoutWords(JSON.parse(JSON.stringify(whole)), false) as Document
}

function withoutWords(node: unknown, isMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutWords(each, false))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([name]) => isMap || !(WORDS.has(name) || OURS.has(name)))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutWords(each, !isMap && MAPS.has(name))]))
}

export function releasedInterface(): Document {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Document
}

/** Records the interface of the tree as the released one. */
export function release(): void {
  writeFileSync(FILE, `${JSON.stringify(currentInterface())}\n`)
}
