import type { OperatorStore } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../api.ts'
import { translate } from '../language.ts'
import { Link, useGuardedChoice, useQueryParameter } from '../router.tsx'
import { Select } from './form/form.tsx'
import { useCall } from './hooks/use-call.ts'
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
  const { data, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const [key, choose] = useGuardedChoice()
  const store = data?.items.find(({ slug }) => slug === selectedSlug) ?? data?.items[0]
  return (
    <Page title={title} lead={lead}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {store && data && data.items.length > 1 && (
        <div class="filters">
          <Select
            key={key}
            name="store"
            label={translate('Store')}
            value={store.slug}
            onChange={(slug) => choose(() => selectStore(slug))}
            options={data.items.map(({ slug, name }) => [slug, name])}
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
      {store && children(store)}
    </Page>
  )
}
