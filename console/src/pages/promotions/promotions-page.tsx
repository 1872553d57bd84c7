import type { OperatorPromotion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { inReadersLanguage } from '../../ui/form/localized-text.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { effectText } from './effect-text.ts'

const columns: readonly Column<OperatorPromotion>[] = [
  { title: 'Promotion', show: ({ title }) => inReadersLanguage(title) },
  { title: 'Code', show: ({ code }) => (code === null ? 'Automatic' : <code class="amount">{code}</code>) },
  { title: 'Discount', show: ({ effect }) => effectText(effect) },
  { title: 'Store', text: true, show: ({ store }) => store ?? 'Marketplace' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Uses', figure: true, show: ({ usedLive }) => <Count value={usedLive} /> },
]

/** All promotions. */
export function PromotionsPage() {
  const [store, setStore] = useParameter('store')
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
      filters={<StoreChoice value={store} onChange={setStore} none="All" />}
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
