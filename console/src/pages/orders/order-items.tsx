import type { OperatorOrder } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { Amount } from '../../ui/format/values.tsx'
import { Section } from '../../ui/page.tsx'
import { Thumbnail } from '../products/picture.tsx'

type Line = OperatorOrder['order']['lines'][number]

/** The ordered items: picture, options, prices and progress. */
export function OrderItems({ order: { order, stores } }: { readonly order: OperatorOrder }) {
  const nameOf = new Map(stores.map(({ id, name }) => [id, name]))
  return (
    <Section title={translate('Items')}>
      <ul class="order-items">
        {order.lines.map((line) => (
          <li key={line.id}>
            <Thumbnail url={line.image?.url} />
            <div>
              {line.productId ? (
                <Link to={`/products/${line.productId}`}>{line.name}</Link>
              ) : (
                <strong>{line.name}</strong>
              )}
              <span class="small">{detailsOf(line, stores.length > 1 ? nameOf.get(line.storeId) : undefined)}</span>
              <Progress line={line} />
            </div>
            <div class="price">
              <Amount {...line.total} />
              <span class="small">
                {line.quantity.ordered} × <Amount {...line.unitPrice} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** A line by its name and the values of its options: two variants of one product have the same name. */
export function variantName({ name, optionLabels }: Pick<Line, 'name' | 'optionLabels'>): string {
  const values = optionLabels.map(({ value }) => value)
  return values.length > 0 ? `${name} (${values.join(', ')})` : name
}

/** Units of the lines of an order, such as `1 × Mug (Oat), 2 × Bowl`. */
export function unitNames(
  { lines }: OperatorOrder['order'],
  units: readonly { readonly lineId: string; readonly quantity: number }[],
): string {
  const nameOf = new Map(lines.map((line) => [line.id, variantName(line)]))
  return units.map(({ lineId, quantity }) => `${quantity} × ${nameOf.get(lineId) ?? lineId}`).join(', ')
}

/** Options, code and store. */
export function detailsOf({ optionLabels, code }: Pick<Line, 'optionLabels' | 'code'>, store?: string): string {
  return [...optionLabels.map(({ name, value }) => `${name}: ${value}`), code, store].filter(Boolean).join(' · ')
}

/** The quantities that were shipped, returned or canceled. */
function Progress({ line: { quantity } }: { readonly line: Line }) {
  const { fulfilled, returned, canceled } = quantity
  const parts = [
    fulfilled > 0 && translate('{fulfilled} shipped', { fulfilled }),
    returned > 0 && translate('{returned} returned', { returned }),
    canceled > 0 && translate('{canceled} canceled', { canceled }),
  ].filter(Boolean)
  return parts.length === 0 ? null : <span class="small">{parts.join(', ')}</span>
}
