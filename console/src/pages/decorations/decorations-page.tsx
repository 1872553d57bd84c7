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

/** The stores, each of which looks its own way. */
export function DecorationsPage() {
  return (
    <ListPage
      title="Decorations"
      lead="How each store looks: its colours, and the blocks of its pages. Nobody sees a draft before it is published."
      load={(query) => call('listStores', { query })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ slug }) => `/decorations/${slug}`}
      empty={{
        title: 'There is no store yet',
        hint: 'Open the first one, then decorate it here.',
        action: (
          <Link to="/stores" class="button">
            To the stores
          </Link>
        ),
      }}
    />
  )
}
