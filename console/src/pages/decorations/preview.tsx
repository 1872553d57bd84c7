import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { localizedText } from '../../ui/form/localized-text.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { RichTextView } from '../../ui/rich-text.tsx'
import type { Block, Content, DecorationPageContent } from './content.ts'

const PRODUCT_ID = /^prod_[0-9a-z]{26}$/
const CATEGORY_ID = /^cat_[0-9a-z]{26}$/
const FONTS = { sans: 'var(--sans)', serif: 'var(--serif)', mono: 'var(--mono)' } as const

/** A page as the store renders it. */
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
    <article
      class="shop-preview"
      style={style}
      lang={locale}
      aria-label={translate('Preview of {title}', { title: page.title })}
    >
      {page.blocks.length === 0 && <p>{translate('This page has no blocks yet.')}</p>}
      {page.blocks.map((block) => (
        <BlockView key={block.id} block={block} locale={locale} />
      ))}
    </article>
  )
}

function BlockView({ block, locale }: { readonly block: Block; readonly locale: string }) {
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
      return (
        <Tiles heading={block.props.heading} ids={block.props.productIds} what="product">
          {(id) => <ProductName id={id} locale={locale} />}
        </Tiles>
      )
    case 'category_list':
      return (
        <Tiles heading={block.props.heading} ids={block.props.categoryIds} what="category">
          {(id) => <CategoryName id={id} locale={locale} />}
        </Tiles>
      )
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
            <BlockView key={child.id} block={child} locale={locale} />
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
  readonly children: (id: string) => ComponentChildren
}

/** Selected products or categories, each as a tile with its name. */
function Tiles({ heading, ids, what, children }: TilesProps) {
  return (
    <section>
      {heading && <h2>{heading}</h2>}
      <ul class="tiles">
        {ids.map((id) => (
          <li key={id}>{children(id)}</li>
        ))}
        {ids.length === 0 && (
          <li>{what === 'product' ? translate('No product selected yet.') : translate('No category selected yet.')}</li>
        )}
      </ul>
    </section>
  )
}

/** The name of a product. A missing or incomplete ID is shown as it is, so that it can be found in the form. */
function ProductName({ id, locale }: { readonly id: string; readonly locale: string }) {
  const { data } = useCall(id, async () =>
    PRODUCT_ID.test(id) ? call('getProduct', { params: { productId: id } }) : null,
  )
  return <>{data ? localizedText(data.names, [locale]) : id}</>
}

function CategoryName({ id, locale }: { readonly id: string; readonly locale: string }) {
  const { data } = useCall(id, async () =>
    CATEGORY_ID.test(id) ? (await call('listCategories', { query: { q: id, limit: 1 } })).items[0] : undefined,
  )
  return <>{data ? localizedText(data.names, [locale]) : id}</>
}
