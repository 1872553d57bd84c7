import { RELATED_PRODUCTS_MAX } from '@vitrine/contract'
import type { OperatorProduct, OperatorProductSummary } from '@vitrine/contract/operator'
import { useRef } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { Status } from '../../ui/format/values.tsx'
import { moved } from '../../ui/list/moved.ts'
import { Picker } from '../../ui/picker.tsx'
import { Thumbnail } from './picture.tsx'
import { ReorderButtons } from './reorder.tsx'

type Ids = OperatorProduct['relatedProductIds']
type Related = Pick<OperatorProductSummary, 'id' | 'name' | 'image' | 'status'>

interface RelatedProductsProps {
  readonly product: OperatorProduct
  readonly ids: Ids
  readonly onChange: (change: (ids: Ids) => Ids, undo?: string) => void
}

const FOUND = 20

/** Adds, orders and removes the related products, which are products of the same store. */
export function RelatedProducts({ product, ids, onChange }: RelatedProductsProps) {
  const saved = product.relatedProducts.map(({ names, ...related }) => ({ ...related, name: localized(names) }))
  const known = useRef(new Map<string, Related>(saved.map((related) => [related.id, related])))
  const related = ids.map((id) => known.current.get(id) ?? { id, name: id, image: null, status: 'published' as const })
  return (
    <>
      <p class="small">{translate('Product pages show them in this order. Shoppers see only published ones.')}</p>
      {related.length > 0 && (
        <ol class="related">
          {related.map((each, index) => (
            <RelatedRow key={each.id} related={each} index={index} count={ids.length} onChange={onChange} />
          ))}
        </ol>
      )}
      {ids.length < RELATED_PRODUCTS_MAX ? (
        <Picker
          label={translate('Add product')}
          chosen={related}
          isShownApart
          find={async (q) => {
            const { items } = await call('listProducts', {
              query: { ...(q && { q }), store: product.store, limit: FOUND },
            })
            for (const item of items) known.current.set(item.id, item)
            return items.filter(({ id }) => id !== product.id)
          }}
          onChange={(picked) => onChange(() => picked.map(({ id }) => id))}
        />
      ) : (
        <p class="small">{translate('At most {amount}.', { amount: RELATED_PRODUCTS_MAX })}</p>
      )}
    </>
  )
}

interface RowProps extends Pick<RelatedProductsProps, 'onChange'> {
  readonly related: Related
  readonly index: number
  readonly count: number
}

function RelatedRow({ related: { id, name, image, status }, index, count, onChange }: RowProps) {
  return (
    <li>
      <span class="with-thumbnail">
        <Thumbnail url={image} />
        <span>
          <Link to={`/products/${id}`}>{name}</Link> {status !== 'published' && <Status value={status} />}
        </span>
      </span>
      <span class="actions">
        <ReorderButtons
          {...{ name, index, count }}
          icons={['up', 'down']}
          onMove={(to) => onChange((all) => moved(all, index, to))}
          onRemove={() => onChange((all) => all.filter((each) => each !== id), translate('Related product removed.'))}
        />
      </span>
    </li>
  )
}
