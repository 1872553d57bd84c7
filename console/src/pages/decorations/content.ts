import type { OperatorDecorationContent } from '@vitrine/contract/operator'

export type Content = OperatorDecorationContent
export type DecorationPageContent = Content['pages'][string][number]
export type Block = DecorationPageContent['blocks'][number]
export type Leaf = Exclude<Block, { readonly type: 'columns' }>
export type BlockType = Block['type']

/** What a store begins with that was never decorated. */
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

/** What each type of block is called, and what a new one holds. */
const BLANKS: { readonly [Type in BlockType]: readonly [word: string, blank: (id: string) => Block] } = {
  hero: ['Heading with a picture', (id) => ({ id, type: 'hero', props: { heading: 'A heading' } })],
  rich_text: ['Text', (id) => ({ id, type: 'rich_text', props: { content: { format: 'markdown', text: 'A text.' } } })],
  image: [
    'Picture',
    (id) => ({
      id,
      type: 'image',
      props: { image: { url: 'https://shop.example/picture.jpg', alt: 'What it shows', width: 800, height: 600 } },
    }),
  ],
  product_list: ['Products', (id) => ({ id, type: 'product_list', props: { productIds: [] } })],
  category_list: ['Categories', (id) => ({ id, type: 'category_list', props: { categoryIds: [] } })],
  banner: ['Banner', (id) => ({ id, type: 'banner', props: { text: 'A line that stands out.', tone: 'info' } })],
  divider: ['Divider', (id) => ({ id, type: 'divider', props: { style: 'line' } })],
  columns: ['Columns', (id) => ({ id, type: 'columns', props: { columns: 2 }, children: [] })],
}
export const blockTypes = Object.keys(BLANKS) as readonly BlockType[]
export const leafTypes = blockTypes.filter((type) => type !== 'columns')

export function blockWord(type: BlockType): string {
  return BLANKS[type][0]
}

/** A new block, by a name that none on its page has. */
export function newBlock(type: BlockType, taken: readonly string[]): Block {
  const stem = type.replaceAll('_', '-')
  let number = 1
  while (taken.includes(`${stem}-${number}`)) number += 1
  return BLANKS[type][1](`${stem}-${number}`)
}

/** The names of all blocks of a page, those within columns included. */
export function namesOn({ blocks }: DecorationPageContent): string[] {
  return blocks.flatMap((block) => [block.id, ...(block.type === 'columns' ? block.children.map(({ id }) => id) : [])])
}

/** A list with one of its items in another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)]
}

/** A list with one of its items replaced, or taken away. */
export function replaced<Item>(items: readonly Item[], at: number, item: Item | null): Item[] {
  return items.flatMap((each, index) => (index === at ? (item === null ? [] : [item]) : [each]))
}
