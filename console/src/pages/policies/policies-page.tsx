import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PolicyForm } from './policy-form.tsx'

/** Cancellation and return policies of each store. */
export function PoliciesPage() {
  const [store, setStore] = useParameter('store')
  const { answer, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const slug = store || answer?.items[0]?.slug
  return (
    <Page
      title="Policies"
      lead="Cancellation and return rules of each store. Saving creates a new version. Existing requests keep the version they were made under."
      actions={
        answer &&
        answer.items.length > 1 && (
          <Select
            name="store"
            label="Store"
            value={slug}
            onChange={setStore}
            options={answer.items.map((each) => [each.slug, each.name])}
          />
        )
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {answer?.items.length === 0 && (
        <Empty title="No stores yet" hint="Policies apply to the products of a store.">
          <Link to="/stores" class="button">
            Create a store
          </Link>
        </Empty>
      )}
      {slug && <PolicyOfStore key={slug} slug={slug} />}
    </Page>
  )
}

function PolicyOfStore({ slug }: { readonly slug: string }) {
  const params = { storeSlug: slug }
  const { answer, error, reload } = useCall(slug, () => call('getOrderPolicy', { params }))
  const [saved, setSaved] = useState(false)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  return (
    <>
      {saved && (
        <Notice kind="good">
          <p>Saved as version {answer.version}.</p>
        </Notice>
      )}
      {answer.version === 0 && (
        <Notice>
          <p>This store has no policy of its own yet. These are the defaults.</p>
        </Notice>
      )}
      <PolicyForm
        key={answer.version}
        policy={answer.policy}
        onSave={async (policy) => {
          await call('saveOrderPolicy', { params, body: { policy, expectedVersion: answer.version } })
          setSaved(true)
          reload()
        }}
      />
    </>
  )
}
