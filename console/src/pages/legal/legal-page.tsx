import type { OperatorLegalVersion } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { type Column, Table } from '../../ui/list-page.tsx'
import { languageName } from '../../ui/names.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { StoreChoice } from '../../ui/store-choice.tsx'
import { useCall } from '../../ui/use-call.ts'
import { Status, When } from '../../ui/values.tsx'
import { wordOf } from './types.ts'

const columns: readonly Column<OperatorLegalVersion>[] = [
  { title: 'Document', text: true, show: ({ type }) => wordOf(type) },
  { title: 'Version', show: ({ version }) => <span class="amount">{version}</span> },
  { title: 'State', show: ({ standing }) => <Status value={standing} /> },
  { title: 'In force from', show: ({ effectiveAt }) => <When at={effectiveAt} /> },
  { title: 'Languages', show: ({ locales }) => locales.map(languageName).join(', ') },
  { title: 'Published', show: ({ publishedAt }) => <When at={publishedAt} /> },
]

/** Every version of every document, of the marketplace or of a store. */
export function LegalPage() {
  const [storeSlug, setStoreSlug] = useParameter('store')
  const { answer, error, loading, reload } = useCall(storeSlug, () =>
    call('listLegalVersions', { query: storeSlug ? { storeSlug } : {} }),
  )
  const publish = (
    <Link to={storeSlug ? `/legal/publish?store=${storeSlug}` : '/legal/publish'} class="button primary">
      Publish a document
    </Link>
  )
  return (
    <Page
      title="Legal documents"
      lead="What was published stands for good, since somebody has agreed to it. A change is a new version."
      actions={publish}
    >
      <div class="filters">
        <StoreChoice label="Whose" none="The marketplace's own" value={storeSlug} onChange={setStoreSlug} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {answer?.items.length === 0 && (
          <Empty title="Nothing is published yet" hint="As long as it is so, shoppers are asked to agree to nothing.">
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
