/** The symbols of the sprite in index.html. */
export type IconName =
  | 'today'
  | 'orders'
  | 'returns'
  | 'payments'
  | 'customers'
  | 'products'
  | 'promotions'
  | 'stores'
  | 'site'
  | 'integrations'
  | 'settings'
  | 'system'
  | 'search'
  | 'menu'
  | 'check'
  | 'close'
  | 'chevron'
  | 'stock'
  | 'import'

/** An icon next to a text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  )
}
