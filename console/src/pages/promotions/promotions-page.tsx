import type { OperatorPromotion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { type Environment, useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'
import { describeEffect, usesIn } from './effect-text.ts'

const columnsIn = (environment: Environment): readonly Column<OperatorPromotion>[] => [
  { title: translate('Promotion'), show: ({ title }) => localized(title) },
  {
    title: translate('Code'),
    show: ({ code }) => (code === null ? translate('Automatic') : <code class="amount">{code}</code>),
  },
  { title: translate('Discount'), show: ({ effect }) => describeEffect(effect) },
  { title: translate('Store'), text: true, show: ({ store }) => (store ? storeName(store) : translate('Marketplace')) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Uses'), numeric: true, show: (promotion) => <Count value={usesIn(environment, promotion)} /> },
]

const STATUSES = ['active', 'paused', 'archived'] as const

/** All promotions. */
export function PromotionsPage() {
  const [store, setStore] = useQueryParameter('store')
  const [status] = useQueryParameter('status')
  const environment = useEnvironment()
  const create = (
    <Allowed by="createPromotion">
      <Link to="/promotions/new" class="button primary">
        {translate('Create promotion')}
      </Link>
    </Allowed>
  )
  return (
    <ListPage
      title={translate('Promotions')}
      lead={translate('Automatic discounts and discount codes.')}
      actions={
        <>
          <Allowed by="tryPromotions">
            <Link to="/promotions/try" class="button">
              {translate('Test promotions')}
            </Link>
          </Allowed>
          {create}
        </>
      }
      filters={
        <>
          <StoreSelect value={store} onChange={setStore} none={translate('All')} />
          <QueryFilter name="status" label={translate('Status')} options={STATUSES} />
        </>
      }
      load={(query) => {
        const selected = STATUSES.find((each) => each === status)
        return call('listPromotions', { query: { ...query, store: store || undefined, status: selected } })
      }}
      columns={columnsIn(environment)}
      keyOf={({ id }) => id}
      to={({ id }) => `/promotions/${id}`}
      empty={{
        title: translate('No promotions yet'),
        hint: translate('Create a promotion, and test it on a cart.'),
        action: create,
      }}
    />
  )
}
