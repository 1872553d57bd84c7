import type { OperatorSearchRule } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { languageName } from '../../ui/format/display-names.ts'
import { Count, DateTime } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { backToSearch, editorPath } from './paths.ts'

const columns: readonly Column<OperatorSearchRule>[] = [
  { title: translate('Query'), show: ({ query }) => query },
  {
    title: translate('Language'),
    show: ({ language }) => (language === null ? translate('All') : languageName(language)),
  },
  { title: translate('Pinned'), numeric: true, show: ({ pins }) => <Count value={pins.length} /> },
  { title: translate('Hidden'), numeric: true, show: ({ hidden }) => <Count value={hidden.length} /> },
  { title: translate('Redirect'), text: true, show: ({ redirect }) => redirect ?? '' },
  { title: translate('Updated'), show: ({ updatedAt }) => <DateTime at={updatedAt} /> },
]

/** All queries with pinned or hidden products or a redirect. */
export function RulesPage() {
  return (
    <ListPage
      title={translate('Search rules')}
      back={backToSearch}
      lead={translate('Queries with pinned or hidden products or a redirect.')}
      load={(query) => call('listSearchRules', { query })}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ query, language }) => editorPath({ q: query, ...(language && { locale: language }) })}
      empty={{
        title: translate('No rules yet'),
        hint: translate('Open a query on the search page, and pin or hide a product.'),
      }}
    />
  )
}
