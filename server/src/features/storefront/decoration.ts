import { createHash } from 'node:crypto'
import { Decoration, type DecorationBlock, type DecorationLeaf, type PublicErrorDetail } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { servedLocale } from './legal.ts'
import { faultOfRichText } from './rich-text.ts'

const { theme, pages, locale } = Decoration.properties
const { pattern: LOCALE } = locale as unknown as { readonly pattern: string }

/** How a store looks: one theme, and its pages in each of its languages, as the contract has them. */
export const DecorationContent = Type.Object(
  {
    theme,
    pages: Type.Record(Type.String({ pattern: LOCALE }), pages, { minProperties: 1, additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type DecorationContent = Static<typeof DecorationContent>
type Pages = Decoration['pages']

/** What a schema cannot say: that slugs and blocks have names of their own, and that no text holds raw HTML. */
export function faultsOfDecoration(content: DecorationContent): PublicErrorDetail[] {
  return Object.entries(content.pages).flatMap(([locale, pages]) => {
    const at = `/pages/${locale}`
    return [
      ...twins(
        pages.map(({ slug }) => slug),
        (index) => `${at}/${index}/slug`,
      ),
      ...pages.flatMap(faultsOfPage(at)),
    ]
  })
}

function faultsOfPage(above: string) {
  return ({ blocks }: Pages[number], index: number): PublicErrorDetail[] => {
    const placed = blocks.flatMap((block, position) => withChildren(block, `${above}/${index}/blocks/${position}`))
    const names = placed.map(({ block }) => block.id)
    return [
      ...twins(names, (position) => `${placed[position]!.at}/id`),
      ...placed.flatMap(({ block, at }) => {
        const fault =
          block.type === 'rich_text' ? faultOfRichText(block.props.content, `${at}/props/content/text`) : null
        return fault ? [fault] : []
      }),
    ]
  }
}

interface Placed {
  readonly block: DecorationBlock | DecorationLeaf
  readonly at: string
}

function withChildren(block: DecorationBlock, at: string): Placed[] {
  const children = block.type === 'columns' ? block.children : []
  return [{ block, at }, ...children.map((child, index) => ({ block: child, at: `${at}/children/${index}` }))]
}

function twins(names: readonly string[], pointerOf: (index: number) => string): PublicErrorDetail[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ in: 'body', pointer: pointerOf(index), code: 'not_unique', message: `${name} is there already.` }]
      : [],
  )
}

/** The SHA-256 of canonical JSON: whoever has the same content has the same hash, however it was written. */
export function hashOfContent(content: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(content)).digest()
}

export interface DecorationVersion {
  readonly storeId: string
  readonly version: number
  readonly publishedAt: Date
  readonly content: DecorationContent
}

/** A decoration in the language that fits best. Its hash is of what is shown, so that a reader can check it. */
export function presentDecoration(
  { storeId, version, publishedAt, content }: DecorationVersion,
  languages: readonly string[],
  storeLocale: string | null,
): Decoration {
  const locale = servedLocale(languages, Object.keys(content.pages), storeLocale)!
  const shown = { theme: content.theme, pages: content.pages[locale]! }
  return {
    storeId,
    version,
    locale,
    publishedAt: publishedAt.toISOString(),
    contentHash: hashOfContent(shown).toString('hex'),
    ...shown,
  }
}
