import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { PerStorePage } from '../../ui/per-store-page.tsx'
import { PolicyForm } from './policy-form.tsx'

/** Cancellation and return policies of each store. */
export function PoliciesPage() {
  return (
    <PerStorePage
      title={translate('Policies')}
      lead={translate(
        'Cancellation and return rules of each store. Saving creates a new version. Existing requests keep the version they were made under.',
      )}
    >
      {({ slug }) => <PolicyOfStore key={slug} slug={slug} />}
    </PerStorePage>
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
