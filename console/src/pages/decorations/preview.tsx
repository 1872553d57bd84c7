import { RichTextView } from '../../ui/rich-text.tsx'
import type { Block, Content, DecorationPageContent } from './content.ts'

const FONTS = { sans: 'var(--sans)', serif: 'var(--serif)', mono: 'var(--mono)' } as const

/** A page as its store would show it. */
export function Preview({
  theme,
  page,
  locale,
}: {
  readonly theme: Content['theme']
  readonly page: DecorationPageContent
  readonly locale: string
}) {
  const style = {
    '--shop-primary': theme.primaryColor,
    '--shop-accent': theme.accentColor,
    '--shop-paper': theme.backgroundColor,
    '--shop-ink': theme.textColor,
    '--shop-font': FONTS[theme.font],
    '--shop-radius': `${theme.cornerRadius}px`,
  }
  return (
    <article class="shop-preview" style={style} lang={locale} aria-label={`Preview of ${page.title}`}>
      {page.blocks.length === 0 && <p>This page has no block yet.</p>}
      {page.blocks.map((block) => (
        <BlockView key={block.id} block={block} />
      ))}
    </article>
  )
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.type) {
    case 'hero':
      return (
        <section class="hero">
          {block.props.image && <Picture {...block.props.image} />}
          <h2>{block.props.heading}</h2>
          {block.props.text && <p>{block.props.text}</p>}
          {block.props.action && <span class="action">{block.props.action.label}</span>}
        </section>
      )
    case 'rich_text':
      return (
        <section class="prose">
          <RichTextView content={block.props.content} />
        </section>
      )
    case 'image':
      return (
        <figure>
          <Picture {...block.props.image} />
          {block.props.caption && <figcaption>{block.props.caption}</figcaption>}
        </figure>
      )
    case 'product_list':
      return <Tiles heading={block.props.heading} ids={block.props.productIds} what="product" />
    case 'category_list':
      return <Tiles heading={block.props.heading} ids={block.props.categoryIds} what="category" />
    case 'banner':
      return (
        <p class={`banner ${block.props.tone}`}>
          {block.props.text} {block.props.action && <strong>{block.props.action.label}</strong>}
        </p>
      )
    case 'divider':
      return block.props.style === 'line' ? <hr /> : <div class="space" />
    case 'columns':
      return (
        <section class="columns" style={{ '--shop-columns': String(block.props.columns) }}>
          {block.children.map((child) => (
            <BlockView key={child.id} block={child} />
          ))}
        </section>
      )
  }
}

function Picture({ url, alt, width, height }: { url: string; alt: string; width: number; height: number }) {
  return url ? <img src={url} alt={alt} width={width} height={height} loading="lazy" /> : null
}

interface TilesProps {
  readonly heading: string | undefined
  readonly ids: readonly string[]
  readonly what: 'product' | 'category'
}

/** Chosen goods, each as a tile with its id: a shop fills them. */
function Tiles({ heading, ids, what }: TilesProps) {
  return (
    <section>
      {heading && <h2>{heading}</h2>}
      <ul class="tiles">
        {ids.map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
        {ids.length === 0 && <li>No {what} is chosen yet.</li>}
      </ul>
    </section>
  )
}
