import { createHash } from 'node:crypto'
import { Decoration, type DecorationBlock, type DecorationLeaf } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { canonicalJson } from '../../kernel/json.ts'
import type { FieldFault } from '../../kernel/refusal.ts'
import { servedLocale } from './legal.ts'
import { faultOfRichText } from './rich-text.ts'

const { theme, pages, locale } = Decoration.properties
const { pattern: LOCALE } = locale as unknown as { readonly pattern: string }

/** The look of a store: one theme, and pages by language. */
export const DecorationContent = Type.Object(
  {
    theme,
    pages: Type.Record(Type.String({ pattern: LOCALE }), pages, { minProperties: 1, additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type DecorationContent = Static<typeof DecorationContent>
type Pages = Decoration['pages']

/** Checks what the schema cannot: unique slugs and block ids, and no raw HTML. */
export function faultsOfDecoration(content: DecorationContent): FieldFault[] {
  return Object.entries(content.pages).flatMap(([locale, pages]) => {
    const field = `pages/${locale}`
    return [
      ...duplicates(
        pages.map(({ slug }) => slug),
        (index) => `${field}/${index}/slug`,
      ),
      ...pages.flatMap(faultsOfPage(field)),
    ]
  })
}

function faultsOfPage(above: string) {
  return ({ blocks }: Pages[number], index: number): FieldFault[] => {
    const located = blocks.flatMap((block, position) => withChildren(block, `${above}/${index}/blocks/${position}`))
    const ids = located.map(({ block }) => block.id)
    return [
      ...duplicates(ids, (position) => `${located[position]!.field}/id`),
      ...located.flatMap(({ block, field }) => {
        const fault =
          block.type === 'rich_text' ? faultOfRichText(block.props.content, `${field}/props/content/text`) : null
        return fault ? [fault] : []
      }),
    ]
  }
}

interface LocatedBlock {
  readonly block: DecorationBlock | DecorationLeaf
  readonly field: string
}

function withChildren(block: DecorationBlock, field: string): LocatedBlock[] {
  const children = block.type === 'columns' ? block.children : []
  return [{ block, field }, ...children.map((child, index) => ({ block: child, field: `${field}/children/${index}` }))]
}

function duplicates(names: readonly string[], fieldOf: (index: number) => string): FieldFault[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ field: fieldOf(index), code: 'not_unique', message: `${name} is not unique.` }]
      : [],
  )
}

/** The SHA-256 of canonical JSON, independent of formatting and member order. */
export function hashOfContent(content: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(content)).digest()
}

interface DecorationVersion {
  readonly storeId: string
  readonly version: number
  readonly publishedAt: Date
  readonly content: DecorationContent
}

/** Presents a decoration in the best matching language. The hash covers the presented content, so that clients can verify it. */
export function presentDecoration(
  { storeId, version, publishedAt, content }: DecorationVersion,
  languages: readonly string[],
  storeLocale: string | null,
): Decoration {
  const locale = servedLocale(languages, Object.keys(content.pages), storeLocale)!
  const presented = { theme: content.theme, pages: content.pages[locale]! }
  return {
    storeId,
    version,
    locale,
    publishedAt: publishedAt.toISOString(),
    contentHash: hashOfContent(presented).toString('hex'),
    ...presented,
  }
}
