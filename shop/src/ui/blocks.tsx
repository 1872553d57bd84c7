import type { Decoration, DecorationBlock, ProductSummary } from '@vitrine/sdk'
import type { DecoratedStore } from '../stores.ts'
import { Link, useVisit } from './elements.tsx'
import { CategoryLinks } from './layout.tsx'
import { Picture, ProductGrid } from './products.tsx'
import { RichText } from './rich-text.tsx'

interface BlocksProps {
  readonly blocks: readonly DecorationBlock[]
  /** The products in the blocks, by ID. */
  readonly products: ReadonlyMap<string, ProductSummary>
}

/** The blocks of a decoration, in the order of the store. A block of an unknown type is left out. */
export function Blocks({ blocks, products }: BlocksProps) {
  return (
    <>
      {blocks.map((block) => (
        <Block block={block} products={products} />
      ))}
    </>
  )
}

function Block({ block, products }: { block: DecorationBlock; products: BlocksProps['products'] }) {
  const { categories } = useVisit()
  switch (block.type) {
    case 'hero':
      return <Hero {...block.props} />
    case 'rich_text':
      return (
        <section class="prose">
          <RichText content={block.props.content} />
        </section>
      )
    case 'image':
      return (
        <figure>
          <Picture image={block.props.image} />
          {block.props.caption && <figcaption>{block.props.caption}</figcaption>}
        </figure>
      )
    case 'product_list': {
      const found = block.props.productIds.flatMap((id) => products.get(id) ?? [])
      if (found.length === 0) return null
      return (
        <section>
          {block.props.heading && <h2>{block.props.heading}</h2>}
          <ProductGrid products={found} />
        </section>
      )
    }
    case 'category_list':
      return (
        <section>
          {block.props.heading && <h2>{block.props.heading}</h2>}
          <p class="chips">
            <CategoryLinks of={block.props.categoryIds.flatMap((id) => categories.get(id) ?? [])} />
          </p>
        </section>
      )
    case 'banner':
      return (
        <p class={`banner ${block.props.tone}`}>
          {block.props.text} {block.props.action && <a href={block.props.action.url}>{block.props.action.label}</a>}
        </p>
      )
    case 'divider':
      return <hr class={block.props.style} />
    case 'columns':
      return (
        <div class="side-by-side">
          <Blocks blocks={block.children} products={products} />
        </div>
      )
    default:
      return null
  }
}

export type HeroProps = Extract<DecorationBlock, { type: 'hero' }>['props']

/** The hero of a store: its heading, picture and link. */
export function Hero({ heading, text, image, action, above }: HeroProps & { above?: string }) {
  return (
    <section class="hero">
      <div>
        {above && <p class="small">{above}</p>}
        <h2>{heading}</h2>
        {text && <p>{text}</p>}
        {action && (
          <a class="button" href={action.url}>
            {action.label}
          </a>
        )}
      </div>
      {image && <Picture image={image} isFirst />}
    </section>
  )
}

/** The hero of a store's decoration. */
export const heroOf = (decoration: Decoration | null): HeroProps | undefined =>
  decoration?.pages[0]?.blocks.find((block) => block.type === 'hero')?.props

/** The colors of a store as CSS properties, for its page and its card. */
export const themed = (decoration: Decoration | null) =>
  decoration
    ? `--window: ${decoration.theme.backgroundColor}; --window-text: ${decoration.theme.textColor}; --window-accent: ${decoration.theme.primaryColor}`
    : undefined

/** Stores with their pictures and colors. */
export function StoreCards({ stores, level: Level }: { stores: readonly DecoratedStore[]; level: 'h2' | 'h3' }) {
  return (
    <ul class="stores">
      {stores.map(({ store, decoration }) => {
        const image = heroOf(decoration)?.image ?? store.logo
        return (
          <li style={themed(decoration)}>
            {image && <Picture image={{ ...image, alt: '' }} width={400} />}
            <div>
              <Level>
                <Link to={`/stores/${store.slug}`}>{store.name}</Link>
              </Level>
              <p>{store.description}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The IDs of the products in blocks. */
export function productIdsOf(blocks: readonly DecorationBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'product_list') return block.props.productIds
    return block.type === 'columns' ? productIdsOf(block.children) : []
  })
}
