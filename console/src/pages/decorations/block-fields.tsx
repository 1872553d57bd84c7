import type { Image } from '@vitrine/contract'
import { translate } from '../../language.ts'
import { LiveField, LiveSelect, LiveText } from '../../ui/form/live-field.tsx'
import { PictureField } from '../../ui/form/picture-field.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { CategoryPicker, ProductPicker } from '../../ui/record-picker.tsx'
import type { Leaf } from './content.ts'

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
    case 'hero':
      return <HeroFields block={block} onChange={onChange} />
    case 'rich_text':
      return <TextFields block={block} onChange={onChange} />
    case 'image':
      return <ImageBlockFields block={block} onChange={onChange} />
    case 'product_list':
    case 'category_list':
      return <ListFields block={block} onChange={onChange} />
    case 'banner':
      return <BannerFields block={block} onChange={onChange} />
    case 'divider':
      return (
        <LiveSelect
          label={translate('Style')}
          value={block.props.style}
          options={choices(RULES)}
          onChange={(style) => onChange({ ...block, props: { style: among(RULES, style) } })}
        />
      )
  }
}

interface FieldsProps<Type extends Leaf['type']> {
  readonly block: Extract<Leaf, { readonly type: Type }>
  readonly onChange: (block: Leaf) => void
}

function HeroFields({ block, onChange }: FieldsProps<'hero'>) {
  const { text, image, action, ...rest } = block.props
  const put = (props: typeof block.props) => onChange({ ...block, props })
  return (
    <>
      <LiveField
        label={translate('Heading')}
        value={rest.heading}
        onChange={(heading) => put({ ...block.props, heading })}
      />
      <LiveText
        label={translate('Text')}
        value={text ?? ''}
        rows={2}
        onChange={(typed) =>
          put({ ...rest, ...(typed && { text: typed }), ...(image && { image }), ...(action && { action }) })
        }
      />
      <ImageFields
        image={image}
        onChange={(changed) =>
          put({ ...rest, ...(text && { text }), ...(changed && { image: changed }), ...(action && { action }) })
        }
      />
      <ActionFields
        action={action}
        onChange={(changed) =>
          put({ ...rest, ...(text && { text }), ...(image && { image }), ...(changed && { action: changed }) })
        }
      />
    </>
  )
}

function TextFields({ block, onChange }: FieldsProps<'rich_text'>) {
  const { content } = block.props
  const put = (changed: Partial<typeof content>) =>
    onChange({ ...block, props: { content: { ...content, ...changed } } })
  return (
    <>
      <LiveSelect
        label={translate('Format')}
        value={content.format}
        options={choices(FORMATS)}
        onChange={(format) => put({ format: among(FORMATS, format) })}
      />
      <LiveText label={translate('Text')} value={content.text} rows={8} onChange={(text) => put({ text })} />
    </>
  )
}

function ImageBlockFields({ block, onChange }: FieldsProps<'image'>) {
  const { image, caption, url } = block.props
  return (
    <>
      <ImageFields
        image={image}
        onChange={(changed) =>
          onChange({ ...block, props: { ...block.props, image: changed ?? { ...image, url: '' } } })
        }
      />
      <LiveField
        label={translate('Caption')}
        value={caption ?? ''}
        onChange={(typed) =>
          onChange({ ...block, props: { image, ...(typed && { caption: typed }), ...(url && { url }) } })
        }
      />
      <LiveField
        label={translate('Link')}
        value={url ?? ''}
        onChange={(typed) =>
          onChange({ ...block, props: { image, ...(caption && { caption }), ...(typed && { url: typed }) } })
        }
      />
    </>
  )
}

function BannerFields({ block, onChange }: FieldsProps<'banner'>) {
  const { action, ...rest } = block.props
  const put = (props: typeof block.props) => onChange({ ...block, props })
  return (
    <>
      <LiveField label={translate('Text')} value={rest.text} onChange={(text) => put({ ...block.props, text })} />
      <LiveSelect
        label={translate('Tone')}
        value={rest.tone}
        options={choices(TONES)}
        onChange={(tone) => put({ ...block.props, tone: among(TONES, tone) })}
      />
      <ActionFields action={action} onChange={(changed) => put({ ...rest, ...(changed && { action: changed }) })} />
    </>
  )
}

function ListFields({ block, onChange }: FieldsProps<'product_list' | 'category_list'>) {
  const ids = block.type === 'product_list' ? block.props.productIds : block.props.categoryIds
  const { heading } = block.props
  function put(typed: string, selected: readonly string[]): void {
    const titled = typed ? { heading: typed } : {}
    if (block.type === 'product_list') onChange({ ...block, props: { ...titled, productIds: [...selected] } })
    else onChange({ ...block, props: { ...titled, categoryIds: [...selected] } })
  }
  return (
    <>
      <LiveField label={translate('Heading')} value={heading ?? ''} onChange={(typed) => put(typed, ids)} />
      {block.type === 'product_list' ? (
        <ProductPicker label={translate('Products')} ids={ids} onChange={(picked) => put(heading ?? '', picked)} />
      ) : (
        <CategoryPicker label={translate('Categories')} ids={ids} onChange={(picked) => put(heading ?? '', picked)} />
      )}
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
      <LiveField label={translate('Button label')} value={label} onChange={(typed) => put({ label: typed, url })} />
      <LiveField label={translate('Button link')} value={url} onChange={(typed) => put({ label, url: typed })} />
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
  return (
    <>
      <PictureField
        label={translate('Picture')}
        hint={translate('JPEG, PNG, WebP, AVIF or GIF.')}
        picture={image?.url ? image : null}
        onChange={(picture) => onChange(picture ? { alt: image?.alt ?? '', ...picture } : undefined)}
      />
      {image?.url && (
        <LiveField label={translate('Alt text')} value={image.alt} onChange={(alt) => onChange({ ...image, alt })} />
      )}
    </>
  )
}

function choices(values: readonly string[]) {
  return values.map((value) => [value, sentenceCase(value)] as const)
}

function among<const Value extends string>(values: readonly [Value, ...Value[]], typed: string): Value {
  return values.find((each) => each === typed) ?? values[0]
}
