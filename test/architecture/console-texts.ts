import { refusals } from '@vitrine/contract'
import { operatorOperations } from '@vitrine/contract/operator'
import ts, { type JsxAttribute, type Node, type SourceFile, type TemplateExpression } from 'typescript'
import { sentenceCase } from '../../console/src/ui/format/text.ts'
import { operatorRefusals } from '../../contract/src/operator/refusals.ts'
import { READINESS_PROOFS } from '../../server/src/features/installations/readiness.ts'
import { PLACES } from '../../server/src/features/privacy/places.ts'
import { NO_RESPONSE_MESSAGES } from '../../server/src/platform/outbound/index.ts'

/** The texts in a file of the console: keys of the dictionary, and texts that are not translated. */
export interface TextsOfFile {
  readonly keys: readonly Text[]
  readonly bare: readonly Text[]
}

interface Text {
  readonly line: number
  readonly text: string
}

/** Attributes and members that are not texts, are entered by people, come from elsewhere, or are in the language that they name. */
const TECHNICAL =
  /^(class|d|viewBox|autocomplete|aria-keyshortcuts|type|key|name|id|href|rel|role|style|to|value|menu|path|kind|icon|source|de|en|es|fr|it|nl|pl|pt)$/
/** Attributes that people read, even if they begin in lower case. */
const READ = /^(title|label|lead|hint|placeholder|aria-label|alt|submit|cancelLabel|caption)$/
/** Keys on a keyboard, the product name, and examples of codes. */
const NOT_A_TEXT = /^(Enter|Escape|Backspace|Arrow\w+|Control\+K|Home|End|Vitrine|Mac|Private key JWT|IDs|URLs|URIs?)$/
const WORD = /\p{L}{2}/u
/** Words, and not codes: `en, de`. */
const WORDS = /^\p{Lu}\p{Ll}|\p{Ll}{3}.* /u
/** The beginning of a text: `Save`, `A store`, `VAT number`. Names of the API or of a class do not match. */
const BEGINNING = /^\p{Lu}(\p{Ll}|\p{Lu}* \p{Ll})/u
/** A part of a sentence. */
const PHRASE = /^\p{Ll}{2,}( \p{Ll}{2,})+$/u

export function textsOf(source: SourceFile): TextsOfFile {
  const keys: Text[] = []
  const bare: Text[] = []
  const lineOf = (node: Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  const look = (node: Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const keyed = keysOf(node.expression.text, node.arguments)
      for (const key of keyed) {
        if (ts.isStringLiteralLike(key)) keys.push({ line: lineOf(key), text: key.text })
        else bare.push({ line: lineOf(key), text: `${key.getText(source)} is no literal` })
      }
      for (const each of node.arguments) if (!keyed.some((key) => isWithin(key, each))) look(each)
      return
    }
    if (isStatus(node, source))
      keys.push(...literalsIn(node).map((text) => ({ line: lineOf(node), text: sentenceCase(text) })))
    if (isBare(node, source)) bare.push({ line: lineOf(node), text: node.getText(source).trim() })
    ts.forEachChild(node, look)
  }
  look(source)
  return { keys, bare }
}

/** The words that a page gives to a badge: `<Status value={isDone ? 'ready' : 'pending'} />`. */
const isStatus = (node: Node, source: SourceFile): node is JsxAttribute =>
  ts.isJsxAttribute(node) &&
  node.name.getText(source) === 'value' &&
  node.parent.parent.tagName.getText(source) === 'Status'

const literalsIn = (node: Node): readonly string[] =>
  ts.isStringLiteralLike(node) ? [node.text] : node.getChildren().flatMap(literalsIn)

const isWithin = (inner: Node, outer: Node) => inner.pos >= outer.pos && inner.end <= outer.end

function keysOf(called: string, given: readonly Node[]): readonly Node[] {
  if (called === 'translate' || called === 'translateElements') return given.slice(0, 1)
  const forms = called === 'translateCount' ? given[1] : undefined
  if (forms === undefined || !ts.isObjectLiteralExpression(forms)) return []
  return forms.properties.flatMap((form) => (ts.isPropertyAssignment(form) ? [form.initializer] : []))
}

function isBare(node: Node, source: SourceFile): boolean {
  if (ts.isJsxText(node)) return WORD.test(node.text) && !NOT_A_TEXT.test(node.text.trim())
  if (ts.isTemplateExpression(node)) {
    return (
      BEGINNING.test(node.head.text) ||
      node.templateSpans.some(({ literal }) => /[ (]\p{L}{2,}[ .,:)]/u.test(literal.text))
    )
  }
  if (!ts.isStringLiteralLike(node) || NOT_A_TEXT.test(node.text)) return false
  const { parent } = node
  if (ts.isJsxAttribute(parent)) {
    const name = parent.name.getText(source)
    return READ.test(name) ? WORDS.test(node.text) : isBeginning(node.text, name)
  }
  if (ts.isPropertyAssignment(parent))
    return parent.name !== node && isBeginning(node.text, parent.name.getText(source))
  const isCompared =
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken
  return !isCompared && !ts.isPropertyDeclaration(parent) && BEGINNING.test(node.text)
}

const isBeginning = (text: string, name: string) => (BEGINNING.test(text) || PHRASE.test(text)) && !TECHNICAL.test(name)

/** The code whose refusals and reports the console shows. */
export const MESSAGES = new RegExp(
  [
    '^server/src/(?:operator/(?!demo/|door/(?:console|docs)-files)',
    '|kernel/languages/mail-words|platform/line-files/|features/(?:access/settings|accounts/password',
    '|catalog/(?:import|merchandising|operator|writing)/|fulfillment/|installations/|inventory/|media/|oauth/(?:client|staff)',
    '|orders/(?:import|policy|refunds|staff)|payments/(?:statements|named)|pricing/rule-faults|promotions/',
    '|storefront/(?!operations/)|webhooks/endpoints/))(?!.*(?:-schema|mails?|-texts|test|signature-fixture)\\.ts$).*\\.ts$',
  ].join(''),
)
/** A sentence: `The file is empty.`, `"{1}" is not a weight.`, `/status: no unit is left.`, or one with another in it: `Line {1}: {2}` */
const MESSAGE = /^(?=.*\p{L}{3})[\p{Lu}"{/].* .*(?:\.|[.:] \{\d\})$/u
/** Bugs and log entries are not shown. */
const NOT_SHOWN = /^(?:assert|present|sql|statement)\b|\.(?:info|warn|error)$|^Error$/

/** The messages in a file of the server, with numbers in place of the values: `Enter at most {1} words.` */
export function messagesOf(source: SourceFile): readonly string[] {
  const found: string[] = []
  const look = (node: Node): void => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && NOT_SHOWN.test(node.expression.getText(source)))
      return
    const text = ts.isStringLiteralLike(node) ? node.text : ts.isTemplateExpression(node) ? templateOf(node) : ''
    if (MESSAGE.test(text)) found.push(text)
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}

function templateOf({ head, templateSpans }: TemplateExpression): string {
  return head.text + templateSpans.map(({ literal }, index) => `{${index + 1}}${literal.text}`).join('')
}

/** Names of the API that are shown unchanged, as names of their field. */
const PROPER = new Set([
  'kty',
  'crv',
  'alg',
  'use',
  'apiVersion',
  'authMethod',
  'eventType',
  'scopes',
  'format',
  'decimal',
  'dates',
])

/** Fields of protocols, which no page names. */
const PROTOCOL = new Set(
  (
    'setupToken srcset q kty crv x y kid alg use jwks redirectUri codeChallenge dpopJkt clientDataJSON attestationObject ' +
    'transports authenticatorData signature userHandle isFresh'
  ).split(' '),
)

interface Audited {
  readonly method: string
  readonly recorded?: true
  readonly recordsRead?: object
}

/** Whether the operation appears in the audit log: a change, or a recorded read. */
const isAudited = ({ method, recorded, recordsRead }: Audited) => method !== 'GET' || recorded || recordsRead

/** Texts that the API chooses and the console shows: statuses, reasons, actions of the audit log, fields, places of personal data, messages of refusals and of deliveries. */
export function textsOfTheApi(): ReadonlySet<string> {
  const messages: Readonly<Record<string, { readonly message: string }>> = { ...refusals, ...operatorRefusals }
  const rows = Object.entries(operatorOperations)
  const fields = rows.flatMap(([, row]) => fieldsIn('body' in row ? row.body : undefined))
  const words = rows.flatMap(([id, row]) => [...wordsIn(row, id), ...(isAudited(row) ? [id] : [])])
  const codes = [...Object.keys(operatorRefusals), ...rows.flatMap(([, row]) => row.refusals)]
  return new Set([
    ...[...words, ...fields, ...PLACES.map(({ table }) => table)].map((name) => sentenceCase(name)),
    ...codes.map((code) => messages[code]!.message),
    ...READINESS_PROOFS.map(({ remedy }) => remedy),
    ...Object.values(NO_RESPONSE_MESSAGES),
  ])
}

/** The names of the fields in a schema, which errors and the audit log show. */
function fieldsIn(schema: unknown): readonly string[] {
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([member, value]): readonly string[] => {
    const own = member === 'properties' ? Object.keys(value as object).filter((name) => !PROTOCOL.has(name)) : []
    return [...own, ...fieldsIn(value)]
  })
}

/** The enumerated values of the schemas in a row, other than proper names. */
function wordsIn(schema: unknown, name: string): readonly string[] {
  if (schema === null || typeof schema !== 'object' || PROPER.has(name)) return []
  return Object.entries(schema).flatMap(([member, value]): readonly string[] => {
    if (member === 'const' && typeof value === 'string') return isName(value) ? [value] : []
    if (member === 'enum' && Array.isArray(value)) return value.filter(isName)
    if (member === 'properties') return Object.entries(value as object).flatMap(([each, inner]) => wordsIn(inner, each))
    return wordsIn(value, Array.isArray(schema) ? name : member === 'items' || member === 'anyOf' ? name : member)
  })
}

/** Kinds of events and of files have a dot, and are shown unchanged. */
const isName = (value: unknown): value is string => typeof value === 'string' && !value.includes('.')
