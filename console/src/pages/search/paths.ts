import { translate } from '../../language.ts'

export const backToSearch = { to: '/search', title: translate('Search') }

/** The parameters of the editor. */
interface Editing {
  readonly q: string
  readonly locale?: string
  readonly add?: 'synonym' | 'redirect'
}

/** The path of the editor for a query. */
export function editorPath({ q, locale, add }: Editing): string {
  return `/search/edit?${new URLSearchParams({ q, ...(locale && { locale }), ...(add && { add }) })}`
}
