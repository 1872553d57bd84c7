import type { Image } from '@vitrine/contract'
import { asSentence, wordsIn } from '../../ui/format/text.ts'
import type { Leaf } from './content.ts'
import { LiveField, LiveSelect, LiveText } from './live-field.tsx'

interface LeafFieldsProps {
  readonly block: Leaf
  readonly onChange: (block: Leaf) => void
}

const TONES = ['info', 'success', 'warning'] as const
const FORMATS = ['markdown', 'plain'] as const
const RULES = ['line', 'space'] as const

/** The fields of a block. Empty optional fields are left out. */
export function LeafFields({ block, onChange }: LeafFieldsProps) {
  switch (block.type) {
    case 'hero': {
      const { text, image, action, ...rest } = block.props
      const put = (props: typeof block.props) => onChange({ ...block, props })
      return (
        <>
          <LiveField label="Heading" value={rest.heading} onChange={(heading) => put({ ...block.props, heading })} />
          <LiveText
            label="Text"
            value={text ?? ''}
            rows={2}
            onChange={(said) =>
              put({ ...rest, ...(said && { text: said }), ...(image && { image }), ...(action && { action }) })
            }
          />
          <ImageFields
            image={image}
            onChange={(chosen) =>
              put({ ...rest, ...(text && { text }), ...(chosen && { image: chosen }), ...(action && { action }) })
            }
          />
          <ActionFields
            action={action}
            onChange={(chosen) =>
              put({ ...rest, ...(text && { text }), ...(image && { image }), ...(chosen && { action: chosen }) })
            }
          />
        </>
      )
    }
    case 'rich_text': {
      const { content } = block.props
      return (
        <>
          <LiveSelect
            label="Format"
            value={content.format}
            options={choices(FORMATS)}
            onChange={(said) =>
              onChange({ ...block, props: { content: { ...content, format: among(FORMATS, said) } } })
            }
          />
          <LiveText
            label="Text"
            value={content.text}
            rows={8}
            onChange={(text) => onChange({ ...block, props: { content: { ...content, text } } })}
          />
        </>
      )
    }
    case 'image': {
      const { image, caption, url } = block.props
      return (
        <>
          <ImageFields
            image={image}
            onChange={(chosen) =>
              onChange({ ...block, props: { ...block.props, image: chosen ?? { ...image, url: '' } } })
            }
          />
          <LiveField
            label="Caption"
            value={caption ?? ''}
            onChange={(said) =>
              onChange({ ...block, props: { image, ...(said && { caption: said }), ...(url && { url }) } })
            }
          />
          <LiveField
            label="Link"
            value={url ?? ''}
            onChange={(said) =>
              onChange({ ...block, props: { image, ...(caption && { caption }), ...(said && { url: said }) } })
            }
          />
        </>
      )
    }
    case 'product_list':
    case 'category_list':
      return <ListFields block={block} onChange={onChange} />
    case 'banner': {
      const { action, ...rest } = block.props
      return (
        <>
          <LiveField
            label="Text"
            value={rest.text}
            onChange={(text) => onChange({ ...block, props: { ...block.props, text } })}
          />
          <LiveSelect
            label="Tone"
            value={rest.tone}
            options={choices(TONES)}
            onChange={(said) => onChange({ ...block, props: { ...block.props, tone: among(TONES, said) } })}
          />
          <ActionFields
            action={action}
            onChange={(chosen) => onChange({ ...block, props: { ...rest, ...(chosen && { action: chosen }) } })}
          />
        </>
      )
    }
    case 'divider':
      return (
        <LiveSelect
          label="Style"
          value={block.props.style}
          options={choices(RULES)}
          onChange={(said) => onChange({ ...block, props: { style: among(RULES, said) } })}
        />
      )
  }
}

type ListBlock = Extract<Leaf, { readonly type: 'product_list' | 'category_list' }>

function ListFields({ block, onChange }: { readonly block: ListBlock; readonly onChange: (block: Leaf) => void }) {
  const ids = block.type === 'product_list' ? block.props.productIds : block.props.categoryIds
  const { heading } = block.props
  function put(said: string, chosen: readonly string[]): void {
    const titled = said ? { heading: said } : {}
    if (block.type === 'product_list') onChange({ ...block, props: { ...titled, productIds: [...chosen] } })
    else onChange({ ...block, props: { ...titled, categoryIds: [...chosen] } })
  }
  return (
    <>
      <LiveField label="Heading" value={heading ?? ''} onChange={(said) => put(said, ids)} />
      <LiveText
        label={block.type === 'product_list' ? 'Product IDs, one per line' : 'Category IDs, one per line'}
        value={ids.join('\n')}
        onChange={(said) => put(heading ?? '', said.endsWith('\n') ? [...wordsIn(said), ''] : wordsIn(said))}
      />
    </>
  )
}

type Action = NonNullable<Extract<Leaf, { readonly type: 'banner' }>['props']['action']>

function ActionFields({
  action,
  onChange,
}: {
  readonly action: Action | undefined
  readonly onChange: (action: Action | undefined) => void
}) {
  const { label = '', url = '' } = action ?? {}
  const put = (next: Action) => onChange(next.label || next.url ? next : undefined)
  return (
    <>
      <LiveField label="Button label" value={label} onChange={(said) => put({ label: said, url })} />
      <LiveField label="Button link" value={url} onChange={(said) => put({ label, url: said })} />
    </>
  )
}

function ImageFields({
  image,
  onChange,
}: {
  readonly image: Image | undefined
  readonly onChange: (image: Image | undefined) => void
}) {
  const known = image ?? { url: '', alt: '', width: 800, height: 800 }
  return (
    <>
      <LiveField
        label="Image URL"
        type="url"
        value={known.url}
        onChange={(url) => onChange(url ? { ...known, url } : undefined)}
      />
      {image && (
        <>
          <LiveField label="Alt text" value={known.alt} onChange={(alt) => onChange({ ...known, alt })} />
          <LiveField
            label="Width (pixels)"
            type="number"
            value={known.width}
            onChange={(width) => onChange({ ...known, width: Number(width) })}
          />
          <LiveField
            label="Height (pixels)"
            type="number"
            value={known.height}
            onChange={(height) => onChange({ ...known, height: Number(height) })}
          />
        </>
      )}
    </>
  )
}

function choices(values: readonly string[]) {
  return values.map((value) => [value, asSentence(value)] as const)
}

function among<const Value extends string>(values: readonly [Value, ...Value[]], said: string): Value {
  return values.find((each) => each === said) ?? values[0]
}
