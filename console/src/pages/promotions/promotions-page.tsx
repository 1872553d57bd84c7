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
  { title: 'Code', show: ({ code }) => (code === null ? 'by itself' : <code class="amount">{code}</code>) },
  { title: 'Gives', show: ({ effect }) => effectText(effect) },
  { title: 'Store', text: true, show: ({ store }) => store ?? 'marketplace' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Used', figure: true, show: ({ usedLive }) => <Count value={usedLive} /> },
]

/** What is taken off, for whom and when. */
export function PromotionsPage() {
  const [store, setStore] = useParameter('store')
  const make = (
    <Link to="/promotions/new" class="button primary">
      New promotion
    </Link>
  )
  return (
    <ListPage
      title="Promotions"
      lead="What is taken off: by itself, or for who has a code."
      actions={
        <>
          <Link to="/promotions/try" class="button">
            Try them
          </Link>
          {make}
        </>
      }
      filters={<StoreChoice value={store} onChange={setStore} none="all" />}
      load={(query) => call('listPromotions', { query: { ...query, store: store || undefined } })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/promotions/${id}`}
      empty={{
        title: 'Nothing is taken off anything',
        hint: 'Make a promotion, and try it on a cart before anybody sees it.',
        action: make,
      }}
    />
  )
}
