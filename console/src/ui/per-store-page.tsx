import type { OperatorStore } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../api.ts'
import { translate } from '../language.ts'
import { Link, useGuardedChoice, useQueryParameter } from '../router.tsx'
import { StoreSelect } from './form/store-select.tsx'
import { useCall } from './hooks/use-call.ts'
import { Loading } from './loading.tsx'
import { Empty, ErrorNotice } from './notice.tsx'
import { Page } from './page.tsx'

/** A page about one store at a time: the first one, unless another is selected. */
export function PerStorePage({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly children: (store: OperatorStore) => ComponentChildren
}) {
  const [selectedSlug, selectStore] = useQueryParameter('store')
  const { data, error, reload } = useCall(selectedSlug, () => storesFrom(selectedSlug))
  const [key, choose] = useGuardedChoice()
  const store = data?.items.find(({ slug }) => slug === selectedSlug || selectedSlug === '')
  return (
    <Page title={title} lead={lead}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && data.items.length > 1 && (
        <div class="filters">
          <StoreSelect
            key={key}
            value={selectedSlug || (data.items[0]?.slug ?? '')}
            onChange={(slug) => choose(() => selectStore(slug))}
          />
        </div>
      )}
      {data?.items.length === 0 && (
        <Empty
          title={translate('No stores yet')}
          hint={translate('Create a store first. Each store has its own settings.')}
        >
          <Link to="/stores" class="button">
            {translate('Go to stores')}
          </Link>
        </Empty>
      )}
      {store ? children(store) : data?.items.length !== 0 && !error && <Loading />}
    </Page>
  )
}

/** The selected store, or the first one, and another one if there is any. */
async function storesFrom(slug: string): Promise<{ readonly items: readonly OperatorStore[] }> {
  const { items } = await call('listStores', { query: { limit: 2 } })
  if (slug === '' || items.some((store) => store.slug === slug)) return { items }
  return { items: [await call('getStore', { params: { storeSlug: slug } }), ...items] }
}
