import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorStore>[] = [
  { title: translate('Store'), wide: true, show: ({ name }) => name },
  { title: translate('Slug'), show: ({ slug }) => <code>{slug}</code> },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Languages'), show: ({ locales }) => locales.map(languageName).join(', ') },
]

/** The stores, each with its own design. */
export function DecorationsPage() {
  return (
    <ListPage
      title={translate('Store design')}
      lead={translate('The colors and page content of each store. Drafts are not visible until published.')}
      load={(query) => call('listStores', { query })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ slug }) => `/decorations/${slug}`}
      empty={{
        title: translate('No stores yet'),
        hint: translate('Create a store, then design it here.'),
        action: (
          <Link to="/stores" class="button">
            {translate('Go to stores')}
          </Link>
        ),
      }}
    />
  )
}
