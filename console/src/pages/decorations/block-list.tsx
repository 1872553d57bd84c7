import type { PublicErrorDetail } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { translate, translateCount } from '../../language.ts'
import { LiveField, LiveSelect } from '../../ui/form/live-field.tsx'
import { fieldErrorText } from '../../ui/form/validation-messages.ts'
import { moved } from '../../ui/list/moved.ts'
import { LeafFields } from './block-fields.tsx'
import {
  type Block,
  type BlockType,
  blockName,
  blockTypes,
  type Leaf,
  leafTypes,
  newBlock,
  replaced,
} from './content.ts'

interface BlockListProps {
  readonly blocks: readonly Block[]
  readonly onChange: (blocks: Block[]) => void
  /** Block IDs that are in use on the page. */
  readonly taken: readonly string[]
  /** Errors of the last save, and the JSON pointer of this list. */
  readonly errors: readonly PublicErrorDetail[]
  readonly pointer: string
  /** Inside columns; columns cannot be nested. */
  readonly nested?: boolean
}

/** The blocks of a page, to edit, move, add and remove. */
export function BlockList({ blocks, onChange, taken, errors, pointer, nested = false }: BlockListProps) {
  const [adding, setAdding] = useState<BlockType>('rich_text')
  const types = nested ? leafTypes : blockTypes
  return (
    <>
      <ol class="blocks">
        {blocks.map((block, index) => (
          <li key={block.id}>
            <OneBlock
              block={block}
              taken={taken}
              errors={errors}
              pointer={`${pointer}/${index}`}
              onChange={(next) => onChange(replaced(blocks, index, next))}
              {...(index > 0 && { onMoveUp: () => onChange(moved(blocks, index, index - 1)) })}
              {...(index < blocks.length - 1 && { onMoveDown: () => onChange(moved(blocks, index, index + 1)) })}
            />
          </li>
        ))}
      </ol>
      <div class="filters">
        <LiveSelect
          label={translate('Block type')}
          value={adding}
          options={types.map((type) => [type, blockName(type)] as const)}
          onChange={(value) => setAdding(types.find((type) => type === value) ?? 'rich_text')}
        />
        <button type="button" onClick={() => onChange([...blocks, newBlock(adding, taken)])}>
          {translate('Add block')}
        </button>
      </div>
    </>
  )
}

interface OneBlockProps {
  readonly block: Block
  readonly taken: readonly string[]
  readonly errors: readonly PublicErrorDetail[]
  readonly pointer: string
  readonly onChange: (block: Block | null) => void
  readonly onMoveUp?: () => void
  readonly onMoveDown?: () => void
}

function OneBlock({ block, taken, errors, pointer, onChange, onMoveUp, onMoveDown }: OneBlockProps) {
  const own = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
  return (
    <details class={own.length > 0 ? 'block invalid' : 'block'}>
      <summary>
        {blockName(block.type)} <span class="small">{summaryOf(block)}</span>
      </summary>
      {own.map((error) => (
        <p key={`${error.pointer}${error.code}`} class="error">
          <code>{error.pointer.slice(pointer.length) || '/'}</code> {fieldErrorText(error.message)}
        </p>
      ))}
      {block.type === 'columns' ? (
        <>
          <LiveField
            label={translate('Columns')}
            type="number"
            value={block.props.columns}
            onChange={(value) => onChange({ ...block, props: { columns: Number(value) } })}
          />
          <BlockList
            nested
            blocks={block.children}
            taken={taken}
            errors={errors}
            pointer={`${pointer}/children`}
            onChange={(children) => onChange({ ...block, children: children as Leaf[] })}
          />
        </>
      ) : (
        <LeafFields block={block} onChange={onChange} />
      )}
      <div class="actions">
        <button type="button" disabled={!onMoveUp} onClick={onMoveUp}>
          {translate('Move up')}
        </button>
        <button type="button" disabled={!onMoveDown} onClick={onMoveDown}>
          {translate('Move down')}
        </button>
        <button type="button" class="danger" onClick={() => onChange(null)}>
          {translate('Remove')}
        </button>
      </div>
    </details>
  )
}

/** A short summary of a block for the list. */
function summaryOf(block: Block): string {
  switch (block.type) {
    case 'hero':
      return block.props.heading
    case 'rich_text':
      return block.props.content.text.slice(0, 60)
    case 'banner':
      return block.props.text
    case 'image':
      return block.props.image.alt
    case 'product_list':
      return (
        block.props.heading ??
        translateCount(block.props.productIds.length, { one: '{count} product', other: '{count} products' })
      )
    case 'category_list':
      return (
        block.props.heading ??
        translateCount(block.props.categoryIds.length, { one: '{count} category', other: '{count} categories' })
      )
    case 'columns':
      return translateCount(block.children.length, { one: '{count} block', other: '{count} blocks' })
    case 'divider':
      return block.props.style
  }
}
