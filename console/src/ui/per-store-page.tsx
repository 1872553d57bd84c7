import type { OperatorStore } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../api.ts'
import { Link, useParameter } from '../router.tsx'
import { Select } from './form/form.tsx'
import { useCall } from './hooks/use-call.ts'
import { Empty, ErrorNotice } from './notice.tsx'
import { Page } from './page.tsx'

/** A page about one store at a time: the first one, unless another is selected. */
export function StorePageFrame({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly children: (store: OperatorStore) => ComponentChildren
}) {
  const [chosen, choose] = useParameter('store')
  const { answer, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const store = answer?.items.find(({ slug }) => slug === chosen) ?? answer?.items[0]
  return (
    <Page title={title} lead={lead}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {store && answer && answer.items.length > 1 && (
        <div class="filters">
          <Select
            name="store"
            label="Store"
            value={store.slug}
            onChange={choose}
            options={answer.items.map(({ slug, name }) => [slug, name])}
          />
        </div>
      )}
      {answer?.items.length === 0 && (
        <Empty title="No stores yet" hint="Create a store first. Each store has its own settings.">
          <Link to="/stores" class="button">
            Go to stores
          </Link>
        </Empty>
      )}
      {store && children(store)}
    </Page>
  )
}
