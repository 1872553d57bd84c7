import type { OperatorPromotion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { describeEffect } from './effect-text.ts'

const columns: readonly Column<OperatorPromotion>[] = [
  { title: 'Promotion', show: ({ title }) => localized(title) },
  { title: 'Code', show: ({ code }) => (code === null ? 'Automatic' : <code class="amount">{code}</code>) },
  { title: 'Discount', show: ({ effect }) => describeEffect(effect) },
  { title: 'Store', text: true, show: ({ store }) => store ?? 'Marketplace' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Uses', numeric: true, show: ({ usedLive }) => <Count value={usedLive} /> },
]

/** All promotions. */
export function PromotionsPage() {
  const [store, setStore] = useQueryParameter('store')
  const create = (
    <Link to="/promotions/new" class="button primary">
      Create promotion
    </Link>
  )
  return (
    <ListPage
      title="Promotions"
      lead="Automatic discounts and discount codes."
      actions={
        <>
          <Link to="/promotions/try" class="button">
            Test promotions
          </Link>
          {create}
        </>
      }
      filters={<StoreSelect value={store} onChange={setStore} none="All" />}
      load={(query) => call('listPromotions', { query: { ...query, store: store || undefined } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/promotions/${id}`}
      empty={{
        title: 'No promotions yet',
        hint: 'Create a promotion, and test it on a cart.',
        action: create,
      }}
    />
  )
}
