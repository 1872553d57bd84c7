import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from './breaking-changes.ts'

/** The document of the last release, without what no client depends on: texts and examples. */

const FILE = join(import.meta.dirname, '..', 'docs', 'reference', 'openapi.released.json')
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'info', 'servers', 'links'])
const OURS = new Set(['x-refusals', 'x-id-source', 'x-shown-once', 'externalDocs'])
/** Their members are names, never keywords. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'headers',
  'responses',
  'content',
  'paths',
  'scopes',
])

/** The document without its words. */
export function reduced(document: object): Document {
  return withoutWords(document, false) as Document
}

function withoutWords(node: unknown, isMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutWords(each, false))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([name]) => isMap || !(WORDS.has(name) || OURS.has(name)))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutWords(each, !isMap && MAPS.has(name))]))
}

export function releasedDocument(): Document {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Document
}

export function writeReleasedDocument(document: object): void {
  writeFileSync(FILE, `${JSON.stringify(reduced(document))}\n`)
}
