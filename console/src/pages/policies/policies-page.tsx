import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PolicyForm } from './policy-form.tsx'

/** Cancellation and return policies of each store. */
export function PoliciesPage() {
  const [store, setStore] = useQueryParameter('store')
  const { data, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const slug = store || data?.items[0]?.slug
  return (
    <Page
      title={translate('Policies')}
      lead={translate(
        'Cancellation and return rules of each store. Saving creates a new version. Existing requests keep the version they were made under.',
      )}
      actions={
        data &&
        data.items.length > 1 && (
          <Select
            name="store"
            label={translate('Store')}
            value={slug}
            onChange={setStore}
            options={data.items.map((each) => [each.slug, each.name])}
          />
        )
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data?.items.length === 0 && (
        <Empty title={translate('No stores yet')} hint={translate('Policies apply to the products of a store.')}>
          <Link to="/stores" class="button">
            {translate('Create a store')}
          </Link>
        </Empty>
      )}
      {slug && <PolicyOfStore key={slug} slug={slug} />}
    </Page>
  )
}

function PolicyOfStore({ slug }: { readonly slug: string }) {
  const params = { storeSlug: slug }
  const { data, error, reload } = useCall(slug, () => call('getOrderPolicy', { params }))
  const [saved, setSaved] = useState(false)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <Loading />
  return (
    <>
      {saved && (
        <Notice kind="good">
          <p>{translate('Saved as version {version}.', { version: data.version })}</p>
        </Notice>
      )}
      {data.version === 0 && (
        <Notice>
          <p>{translate('This store has no policy of its own yet. These are the defaults.')}</p>
        </Notice>
      )}
      <PolicyForm
        key={data.version}
        policy={data.policy}
        onSave={async (policy) => {
          await call('saveOrderPolicy', { params, body: { policy, expectedVersion: data.version } })
          setSaved(true)
          reload()
        }}
      />
    </>
  )
}
