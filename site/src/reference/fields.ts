import type { Operation } from '@vitrine/contract'
import { anchorOf, Html, type Html as HtmlText, html } from '../html.ts'

type Schema = Operation['data']

interface Node {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly pattern?: string
  readonly format?: string
  readonly 'x-refusal'?: string
  readonly 'x-sender-constraint'?: string
  readonly 'x-any-json'?: boolean
}

const node = (schema: Schema) => schema as Node

/** Objects that are part of many others. They are described once, on a separate page. */
export const COMMON = ['Money', 'Image', 'Address', 'Contact', 'RichText', 'StoreReference', 'Policy'] as const
export const OBJECTS_PAGE = 'reference/objects.html'

/** The pattern of most texts, which allows any text. */
const ANY_TEXT = '^[^\\u0000]*$'

/** A request marks the members that are required, an answer marks the members that may be absent. */
export type Side = 'sent' | 'received'

interface Place {
  readonly side: Side
  /** The relative path to the root of the site. */
  readonly root: string
}

/** The members of an object as a list, with those of nested objects folded below them. */
export function fieldList(schema: Schema, place: Place): HtmlText {
  return html`<ul class="fields">${membersOf(schema).map((member) => fieldItem(member, place))}</ul>`
}

interface Member {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

export function membersOf(schema: Schema): readonly Member[] {
  const { properties = {}, patternProperties = {}, required = [] } = node(schema)
  return [
    ...Object.entries(properties).map(([name, each]) => ({ name, schema: each, isRequired: required.includes(name) })),
    ...Object.values(patternProperties).map((each) => ({
      name: 'option.<name>' in properties ? '' : nameOfPattern(schema),
      schema: each,
      isRequired: false,
    })),
  ]
}

/** A map has any name; the query of a product list has filters by option. */
function nameOfPattern(schema: Schema): string {
  return node(schema).properties && Object.keys(node(schema).properties ?? {}).length > 0 ? 'option.<name>' : '<name>'
}

function fieldItem({ name, schema, isRequired }: Member, place: Place): HtmlText {
  const inner = innerOf(schema)
  const { description } = node(schema)
  return html`<li><p class="field"><code class="name">${name}</code> <span class="type">${typeOf(schema, place)}</span>${badge(isRequired, place)}${
    node(schema)['x-sender-constraint'] !== undefined && html` <span class="badge">bound keys only</span>`
  }</p>${description !== undefined && html`<p>${inlineCode(description)}</p>`}${limitsLine(schema)}${inner.map((each) => folded(each, place))}</li>`
}

function badge(isRequired: boolean, { side }: Place): HtmlText | false {
  if (side === 'sent') return isRequired && html` <span class="badge required">required</span>`
  return !isRequired && html` <span class="badge">may be absent</span>`
}

function folded({ label, schema }: Inner, place: Place): HtmlText {
  return html`<details class="nested"><summary>${label}</summary>${fieldList(schema, place)}</details>`
}

interface Inner {
  readonly label: string
  readonly schema: Schema
}

/** The objects inside of a schema that are shown below it. */
function innerOf(schema: Schema, label = 'Fields'): readonly Inner[] {
  const { title, anyOf, items, properties, patternProperties } = node(schema)
  if (isCommon(title)) return []
  if (anyOf) {
    const objects = anyOf.flatMap((each) => innerOf(each))
    return objects.length < 2
      ? objects
      : objects.map((each, index) => ({ ...each, label: `Fields of alternative ${index + 1}` }))
  }
  if (items) return innerOf(items, 'Fields of each')
  if (!properties && !patternProperties) return []
  if (!properties) return Object.values(patternProperties ?? {}).flatMap((each) => innerOf(each, 'Fields of each'))
  const { length } = membersOf(schema)
  return length === 0 ? [] : [{ label: `${label} (${length})`, schema }]
}

function isCommon(title: string | undefined): title is (typeof COMMON)[number] {
  return (COMMON as readonly (string | undefined)[]).includes(title)
}

/** The type in words, with a link if the object has a page. */
export function typeOf(schema: Schema, place: Place): HtmlText {
  const { title, anyOf, items, type, const: constant, enum: values, patternProperties, properties } = node(schema)
  if (isCommon(title)) return html`<a href="${place.root}${OBJECTS_PAGE}#${anchorOf(title)}">${title}</a>`
  if (anyOf) {
    const parts = anyOf.map((each) => typeOf(each, place).text)
    return new Html([...new Set(parts)].join(' or '))
  }
  if (items) return html`array of ${typeOf(items, place)}`
  if (constant !== undefined) return html`${JSON.stringify(constant)}`
  if (values) return html`enum`
  if (patternProperties && Object.keys(properties ?? {}).length === 0) return html`map`
  if (node(schema)['x-any-json']) return html`any JSON`
  return html`${type ?? 'any'}`
}

const number = new Intl.NumberFormat('en')

/** The limits of a value, and the refusal if it is not `validation_failed`. */
function limitsLine(schema: Schema): HtmlText | false {
  const limits = limitsOf(schema)
  const values = valuesOf(schema)
  return (
    (limits.length > 0 || values.length > 0) &&
    html`<p class="limits">${values.length > 0 && html`One of ${joined(values.map((value) => html`<code>${value}</code>`))}. `}${limits.length > 0 && html`${joined(limits)}.`}</p>`
  )
}

function joined(parts: readonly (HtmlText | string)[]): HtmlText {
  return html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`
}

function valuesOf(schema: Schema): readonly string[] {
  const { enum: values, items, anyOf } = node(schema)
  if (values) return values.map(String)
  if (items) return valuesOf(items)
  return (anyOf ?? []).flatMap(valuesOf)
}

function limitsOf(schema: Schema): readonly (HtmlText | string)[] {
  const {
    anyOf,
    items,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    maxProperties,
    pattern,
    format,
    'x-refusal': refusal,
  } = node(schema)
  if (isCommon(node(schema).title)) return []
  const isText = format === undefined || !['int32', 'int64'].includes(format)
  return [
    ...(anyOf ?? []).flatMap(limitsOf),
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems === 0 ? undefined : minItems, maxItems, 'items'),
    range(undefined, maxProperties, 'members'),
    format !== undefined && isText && format,
    pattern !== undefined && pattern !== ANY_TEXT && html`<code>${pattern}</code>`,
    refusal !== undefined && html`otherwise <code>${refusal}</code>`,
    ...(items ? limitsOf(items).map((each) => html`each ${each}`) : []),
  ].filter((each) => each !== false)
}

function range(least: number | undefined, most: number | undefined, unit: string): string | false {
  if (least === undefined && most === undefined) return false
  const amount = [least, most].map((each) => (each === undefined ? '' : number.format(each)))
  const text =
    least === undefined
      ? `at most ${amount[1]}`
      : most === undefined
        ? `at least ${amount[0]}`
        : `${amount[0]} to ${amount[1]}`
  return `${text} ${unit}`.trim()
}

/** Text whose names in back quotes are code. */
export function inlineCode(text: string): HtmlText {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
