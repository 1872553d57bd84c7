import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorStore>[] = [
  { title: 'Store', wide: true, show: ({ name }) => name },
  { title: 'Slug', show: ({ slug }) => <code>{slug}</code> },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Languages', show: ({ locales }) => locales.map(languageName).join(', ') },
]

/** The stores, each with its own design. */
export function DecorationsPage() {
  return (
    <ListPage
      title="Store design"
      lead="The colors and page content of each store. Drafts are not visible until published."
      load={(query) => call('listStores', { query })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ slug }) => `/decorations/${slug}`}
      empty={{
        title: 'No stores yet',
        hint: 'Create a store, then design it here.',
        action: (
          <Link to="/stores" class="button">
            Go to stores
          </Link>
        ),
      }}
    />
  )
}
