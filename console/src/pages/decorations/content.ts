import type { OperatorDecorationContent } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'

export type Content = OperatorDecorationContent
export type DecorationPageContent = Content['pages'][string][number]
export type Block = DecorationPageContent['blocks'][number]
export type Leaf = Exclude<Block, { readonly type: 'columns' }>
export type BlockType = Block['type']

/** The initial content of a store without a design. */
export function starter(locale: string, title: string): Content {
  return {
    theme: {
      primaryColor: '#17594a',
      accentColor: '#b3541e',
      backgroundColor: '#fffdf8',
      textColor: '#1d1b18',
      font: 'serif',
      cornerRadius: 8,
    },
    pages: { [locale]: [{ slug: 'home', title, blocks: [{ id: 'hero', type: 'hero', props: { heading: title } }] }] },
  }
}

/** The name of each type of block, and the content of a new one. */
const BLOCKS: { readonly [Type in BlockType]: readonly [name: string, blank: (id: string) => Block] } = {
  hero: [translate('Hero'), (id) => ({ id, type: 'hero', props: { heading: translate('Heading') } })],
  rich_text: [
    translate('Text'),
    (id) => ({ id, type: 'rich_text', props: { content: { format: 'markdown', text: translate('Text') } } }),
  ],
  image: [
    translate('Image'),
    (id) => ({
      id,
      type: 'image',
      props: {
        image: {
          url: '',
          alt: translate('Image description'),
          width: 800,
          height: 600,
        },
      },
    }),
  ],
  product_list: [translate('Products'), (id) => ({ id, type: 'product_list', props: { productIds: [] } })],
  category_list: [translate('Categories'), (id) => ({ id, type: 'category_list', props: { categoryIds: [] } })],
  banner: [
    translate('Banner'),
    (id) => ({ id, type: 'banner', props: { text: translate('Announcement'), tone: 'info' } }),
  ],
  divider: [translate('Divider'), (id) => ({ id, type: 'divider', props: { style: 'line' } })],
  columns: [translate('Columns'), (id) => ({ id, type: 'columns', props: { columns: 2 }, children: [] })],
}
export const blockTypes = Object.keys(BLOCKS) as readonly BlockType[]
export const leafTypes = blockTypes.filter((type) => type !== 'columns')

export function blockName(type: BlockType): string {
  return BLOCKS[type][0]
}

/** A new block, with an ID that is unique on its page. */
export function newBlock(type: BlockType, taken: readonly string[]): Block {
  const stem = type.replaceAll('_', '-')
  let number = 1
  while (taken.includes(`${stem}-${number}`)) number += 1
  return BLOCKS[type][1](`${stem}-${number}`)
}

/** The IDs of all blocks of a page, including those inside columns. */
export function blockIds({ blocks }: DecorationPageContent): string[] {
  return blocks.flatMap((block) => [block.id, ...(block.type === 'columns' ? block.children.map(({ id }) => id) : [])])
}

/** A list with one item replaced or removed. */
export function replaced<Item>(items: readonly Item[], at: number, item: Item | null): Item[] {
  return items.flatMap((each, index) => (index === at ? (item === null ? [] : [item]) : [each]))
}
