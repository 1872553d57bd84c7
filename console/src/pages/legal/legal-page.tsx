import type { OperatorLegalVersion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useOwnStore } from '../../page.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { documentName } from './document-names.ts'

const columns: readonly Column<OperatorLegalVersion>[] = [
  { title: translate('Document'), text: true, show: ({ type }) => documentName(type) },
  { title: translate('Version'), show: ({ version }) => <span class="amount">{version}</span> },
  { title: translate('Status'), show: ({ standing }) => <Status value={standing} /> },
  { title: translate('Effective from'), show: ({ effectiveAt }) => <DateTime at={effectiveAt} /> },
  { title: translate('Languages'), show: ({ locales }) => locales.map(languageName).join(', ') },
  { title: translate('Published'), show: ({ publishedAt }) => <DateTime at={publishedAt} /> },
]

/** Every version of the legal documents of the marketplace or of a store. */
export function LegalPage() {
  const [selected, setStoreSlug] = useQueryParameter('store')
  const storeSlug = useOwnStore() ?? selected
  const { data, error, loading, reload } = useCall(storeSlug, () =>
    call('listLegalVersions', { query: storeSlug ? { storeSlug } : {} }),
  )
  const publish = (
    <Allowed by="publishLegalDocument">
      <Link to={storeSlug ? `/legal/publish?store=${storeSlug}` : '/legal/publish'} class="button primary">
        {translate('Publish document')}
      </Link>
    </Allowed>
  )
  return (
    <Page
      title={translate('Legal documents')}
      lead={translate(
        'Published documents cannot be changed, because customers may have accepted them. To make a change, publish a new version.',
      )}
      actions={publish}
    >
      <div class="filters">
        <StoreSelect
          label={translate('Store')}
          none={translate('Marketplace')}
          value={storeSlug}
          onChange={setStoreSlug}
        />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {data?.items.length === 0 && (
          <Empty
            title={translate('No legal documents yet')}
            hint={translate('Until you publish one, shoppers are not asked to accept anything.')}
          >
            {publish}
          </Empty>
        )}
        {data && (
          <Table
            caption={translate('Legal documents')}
            items={data.items}
            columns={columns}
            keyOf={({ id }) => id}
            to={({ id }) => `/legal/${id}`}
          />
        )}
      </div>
    </Page>
  )
}
