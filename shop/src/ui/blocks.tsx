import type { DecorationBlock, ProductSummary } from '@vitrine/sdk'
import type { Visit } from '../visit.ts'
import { categoryHref } from './layout.tsx'
import { Picture, ProductGrid } from './products.tsx'
import { RichText } from './rich-text.tsx'

type Products = ReadonlyMap<string, ProductSummary>

/** The blocks of a decoration, as the store has ordered them. A kind that this shop does not know is left out. */
export function Blocks({
  visit,
  blocks,
  products,
}: {
  visit: Visit
  blocks: readonly DecorationBlock[]
  products: Products
}) {
  return (
    <>
      {blocks.map((block) => (
        <Block visit={visit} block={block} products={products} />
      ))}
    </>
  )
}

function Block({ visit, block, products }: { visit: Visit; block: DecorationBlock; products: Products }) {
  switch (block.type) {
    case 'hero': {
      const { heading, text, image, action } = block.props
      return (
        <section class="hero">
          <div>
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
          <ProductGrid visit={visit} products={found} />
        </section>
      )
    }
    case 'category_list':
      return (
        <section>
          {block.props.heading && <h2>{block.props.heading}</h2>}
          <p class="chips">
            {block.props.categoryIds.flatMap((id) => {
              const category = visit.categories.get(id)
              return category ? [<a href={categoryHref(visit, category)}>{category.name}</a>] : []
            })}
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
          <Blocks visit={visit} blocks={block.children} products={products} />
        </div>
      )
    default:
      return null
  }
}

/** The ids of the products that some blocks show. */
export function productIdsOf(blocks: readonly DecorationBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'product_list') return block.props.productIds
    return block.type === 'columns' ? productIdsOf(block.children) : []
  })
}
