import type { Image } from '@vitrine/contract'
import { wordsIn } from '../../ui/format/text.ts'
import type { Leaf } from './content.ts'
import { LiveField, LiveSelect, LiveText } from './live-field.tsx'

interface LeafFieldsProps {
  readonly block: Leaf
  readonly onChange: (block: Leaf) => void
}

const TONES = ['info', 'success', 'warning'] as const
const FORMATS = ['markdown', 'plain'] as const
const RULES = ['line', 'space'] as const

/** What a block shows, field by field. What is emptied is left out. */
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
            label="Written in"
            value={content.format}
            options={worded(FORMATS)}
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
            label="Where a click leads"
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
            options={worded(TONES)}
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
          label="How it looks"
          value={block.props.style}
          options={worded(RULES)}
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
        label={block.type === 'product_list' ? 'Ids of the products, one a line' : 'Ids of the categories, one a line'}
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
      <LiveField label="Button" value={label} onChange={(said) => put({ label: said, url })} />
      <LiveField label="Where the button leads" value={url} onChange={(said) => put({ label, url: said })} />
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
        label="Address of the picture"
        type="url"
        value={known.url}
        onChange={(url) => onChange(url ? { ...known, url } : undefined)}
      />
      {image && (
        <>
          <LiveField
            label="What it shows, in words"
            value={known.alt}
            onChange={(alt) => onChange({ ...known, alt })}
          />
          <LiveField
            label="Width in pixels"
            type="number"
            value={known.width}
            onChange={(width) => onChange({ ...known, width: Number(width) })}
          />
          <LiveField
            label="Height in pixels"
            type="number"
            value={known.height}
            onChange={(height) => onChange({ ...known, height: Number(height) })}
          />
        </>
      )}
    </>
  )
}

function worded(values: readonly string[]) {
  return values.map((value) => [value, value] as const)
}

function among<const Value extends string>(values: readonly [Value, ...Value[]], said: string): Value {
  return values.find((each) => each === said) ?? values[0]
}
