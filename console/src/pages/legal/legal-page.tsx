import type { OperatorLegalVersion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { wordOf } from './document-names.ts'

const columns: readonly Column<OperatorLegalVersion>[] = [
  { title: 'Document', text: true, show: ({ type }) => wordOf(type) },
  { title: 'Version', show: ({ version }) => <span class="amount">{version}</span> },
  { title: 'Status', show: ({ standing }) => <Status value={standing} /> },
  { title: 'Effective from', show: ({ effectiveAt }) => <When at={effectiveAt} /> },
  { title: 'Languages', show: ({ locales }) => locales.map(languageName).join(', ') },
  { title: 'Published', show: ({ publishedAt }) => <When at={publishedAt} /> },
]

/** Every version of the legal documents of the marketplace or of a store. */
export function LegalPage() {
  const [storeSlug, setStoreSlug] = useParameter('store')
  const { answer, error, loading, reload } = useCall(storeSlug, () =>
    call('listLegalVersions', { query: storeSlug ? { storeSlug } : {} }),
  )
  const publish = (
    <Link to={storeSlug ? `/legal/publish?store=${storeSlug}` : '/legal/publish'} class="button primary">
      Publish document
    </Link>
  )
  return (
    <Page
      title="Legal documents"
      lead="Published documents cannot be changed, because customers may have accepted them. To make a change, publish a new version."
      actions={publish}
    >
      <div class="filters">
        <StoreChoice label="Store" none="Marketplace" value={storeSlug} onChange={setStoreSlug} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {answer?.items.length === 0 && (
          <Empty
            title="No legal documents yet"
            hint="Until you publish one, shoppers are not asked to accept anything."
          >
            {publish}
          </Empty>
        )}
        {answer && (
          <Table
            caption="Legal documents"
            items={answer.items}
            columns={columns}
            keyOf={({ id }) => id}
            to={({ id }) => `/legal/${id}`}
          />
        )}
      </div>
    </Page>
  )
}
