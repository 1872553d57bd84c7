import type { PublicErrorDetail } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { LeafFields } from './block-fields.tsx'
import {
  type Block,
  type BlockType,
  blockTypes,
  blockWord,
  type Leaf,
  leafTypes,
  moved,
  newBlock,
  replaced,
} from './content.ts'
import { LiveField, LiveSelect } from './live-field.tsx'

interface BlockListProps {
  readonly blocks: readonly Block[]
  readonly onChange: (blocks: Block[]) => void
  /** Names that are taken on the page. */
  readonly taken: readonly string[]
  /** What the server has said, and by what pointer it calls this list. */
  readonly faults: readonly PublicErrorDetail[]
  readonly pointer: string
  /** Within columns there are no columns. */
  readonly within?: boolean
}

/** Blocks in their order: opened, changed, moved, added and taken away. */
export function BlockList({ blocks, onChange, taken, faults, pointer, within = false }: BlockListProps) {
  const [adding, setAdding] = useState<BlockType>('rich_text')
  const types = within ? leafTypes : blockTypes
  return (
    <>
      <ol class="blocks">
        {blocks.map((block, index) => (
          <li key={block.id}>
            <OneBlock
              block={block}
              taken={taken}
              faults={faults}
              pointer={`${pointer}/${index}`}
              onChange={(next) => onChange(replaced(blocks, index, next))}
              {...(index > 0 && { onEarlier: () => onChange(moved(blocks, index, index - 1)) })}
              {...(index < blocks.length - 1 && { onLater: () => onChange(moved(blocks, index, index + 1)) })}
            />
          </li>
        ))}
      </ol>
      <div class="filters">
        <LiveSelect
          label="Another block"
          value={adding}
          options={types.map((type) => [type, blockWord(type)] as const)}
          onChange={(said) => setAdding(types.find((type) => type === said) ?? 'rich_text')}
        />
        <button type="button" onClick={() => onChange([...blocks, newBlock(adding, taken)])}>
          Add it
        </button>
      </div>
    </>
  )
}

interface OneBlockProps {
  readonly block: Block
  readonly taken: readonly string[]
  readonly faults: readonly PublicErrorDetail[]
  readonly pointer: string
  readonly onChange: (block: Block | null) => void
  readonly onEarlier?: () => void
  readonly onLater?: () => void
}

function OneBlock({ block, taken, faults, pointer, onChange, onEarlier, onLater }: OneBlockProps) {
  const own = faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
  return (
    <details class={own.length > 0 ? 'block wrong' : 'block'}>
      <summary>
        {blockWord(block.type)} <span class="small">{summaryOf(block)}</span>
      </summary>
      {own.map((fault) => (
        <p key={`${fault.pointer}${fault.code}`} class="fault">
          <code>{fault.pointer.slice(pointer.length) || '/'}</code> {fault.message}
        </p>
      ))}
      {block.type === 'columns' ? (
        <>
          <LiveField
            label="How many beside each other"
            type="number"
            value={block.props.columns}
            onChange={(said) => onChange({ ...block, props: { columns: Number(said) } })}
          />
          <BlockList
            within
            blocks={block.children}
            taken={taken}
            faults={faults}
            pointer={`${pointer}/children`}
            onChange={(children) => onChange({ ...block, children: children as Leaf[] })}
          />
        </>
      ) : (
        <LeafFields block={block} onChange={onChange} />
      )}
      <div class="actions">
        <button type="button" disabled={!onEarlier} onClick={onEarlier}>
          Earlier
        </button>
        <button type="button" disabled={!onLater} onClick={onLater}>
          Later
        </button>
        <button type="button" class="danger" onClick={() => onChange(null)}>
          Take away
        </button>
      </div>
    </details>
  )
}

/** A few words by which a block is known in the list. */
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
      return block.props.heading ?? `${block.props.productIds.length} products`
    case 'category_list':
      return block.props.heading ?? `${block.props.categoryIds.length} categories`
    case 'columns':
      return `${block.children.length} blocks`
    case 'divider':
      return block.props.style
  }
}
