import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { navigate, restoreScroll, useQueryParameter, useRouteLocation } from '../../router.tsx'
import { useCall } from '../hooks/use-call.ts'
import { Loading } from '../loading.tsx'
import { Empty, ErrorNotice } from '../notice.tsx'
import { Page, type PageLayoutProps } from '../page.tsx'
import { Pagination } from './pagination.tsx'

export interface Column<Item> {
  readonly title: string
  readonly show: (item: Item) => ComponentChildren
  /** Shown in place of the title, which is its name. */
  readonly head?: (items: readonly Item[]) => ComponentChildren
  /** Right-aligned numbers. */
  readonly numeric?: true
  /** Takes the remaining width. */
  readonly wide?: true
  /** Free text, which may be long and without a break. */
  readonly text?: true
  /** A checkbox before the column that links to the page of the row. */
  readonly pick?: true
  /** Row actions. The heading is visible to screen readers only. */
  readonly buttons?: true
}

interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export interface ListQuery {
  readonly q?: string
  readonly cursor?: string
}

interface ListPageProps<Item> extends Omit<PageLayoutProps, 'children'> {
  /** Filters next to the search. */
  readonly filters?: ComponentChildren
  /** Whether there is a search field. Default: true. */
  readonly searchable?: boolean
  readonly load: (query: ListQuery) => Promise<PageOf<Item>>
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  /** The page that a row links to. */
  readonly to?: (item: Item) => string
  readonly empty: { readonly title: string; readonly hint: string; readonly action?: ComponentChildren }
}

const TYPING_MS = 250

/** A list with search, filters and pagination. Each row links to its page. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, lead, back, actions, filters, searchable = true, load, columns, keyOf, to, empty } = props
  const location = useRouteLocation()
  const [q] = useQueryParameter('q')
  const [cursor] = useQueryParameter('cursor')
  const { data, error, loading, reload } = useCall(`${useEnvironment()} ${location.path}?${location.query}`, () =>
    load({ ...(q && { q }), ...(cursor && { cursor }) }),
  )
  const isLoaded = data !== null
  // Before it is drawn, so that nothing is seen to jump.
  useLayoutEffect(() => {
    if (isLoaded) restoreScroll()
  }, [isLoaded])
  return (
    <Page title={title} {...(lead && { lead })} {...(back && { back })} actions={actions}>
      {(searchable || filters) && (
        <div class="filters">
          {searchable && <Search />}
          {filters}
        </div>
      )}
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {data && <Table items={data.items} columns={columns} keyOf={keyOf} {...(to && { to })} caption={title} />}
        {data?.items.length === 0 &&
          (isFiltered(location.query) ? (
            <Empty title={translate('No results')} hint={translate('Try a different search or remove a filter.')} />
          ) : (
            <Empty title={empty.title} hint={empty.hint}>
              {empty.action}
            </Empty>
          ))}
        {!data && loading && <Loading />}
      </div>
      <Pagination nextCursor={data?.nextCursor} />
    </Page>
  )
}

/** Whether the URL has a filter. A view has its own text where it is empty. */
function isFiltered(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name !== 'environment' && name !== 'view')
}

/** Searches while typing, after a short pause. */
export function Search() {
  const [q, setQ] = useQueryParameter('q')
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed === q) return
    const waiting = setTimeout(() => setQ(typed), TYPING_MS)
    return () => clearTimeout(waiting)
  }, [typed])
  return (
    <label class="search">
      <span class="hidden">{translate('Search')}</span>
      <input
        type="search"
        value={typed}
        placeholder={translate('Search')}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </label>
  )
}

interface TableProps<Item> {
  readonly caption: string
  readonly items: readonly Item[]
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  readonly to?: (item: Item) => string
}

/** A table whose rows become cards on narrow screens. */
export function Table<Item>({ caption, items, columns, keyOf, to }: TableProps<Item>) {
  if (items.length === 0) return null
  const linked = columns.findIndex(({ pick }) => !pick)
  return (
    <table onKeyDown={moveBetweenRows}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.head?.(items) ??
                (column.buttons || column.pick ? <span class="hidden">{column.title}</span> : column.title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr
            key={keyOf(item)}
            {...(to && { class: 'clickable', onClick: (event: MouseEvent) => follow(event, to(item)) })}
          >
            {columns.map((column, index) => (
              <td key={column.title} data-title={column.title} class={classOf(column)}>
                <div>
                  {to && index === linked ? (
                    <a href={to(item)} onClick={(event) => follow(event, to(item))}>
                      {column.show(item)}
                    </a>
                  ) : (
                    column.show(item)
                  )}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf({
  numeric,
  wide,
  text,
  pick,
  buttons,
}: Pick<Column<unknown>, 'numeric' | 'wide' | 'text' | 'pick' | 'buttons'>): string {
  return Object.entries({ numeric, wide, text, pick, buttons })
    .flatMap(([name, isSet]) => (isSet ? [name] : []))
    .join(' ')
}

/** On the link of a row, `j` and `k` focus the next and the previous row. Not elsewhere, where letters are typed (WCAG 2.2, 2.1.4). */
function moveBetweenRows(event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  const links = [...event.currentTarget.querySelectorAll('tbody tr')].map((row) => row.querySelector('a'))
  const current = links.indexOf(event.target as HTMLAnchorElement)
  if (current >= 0) links[current + step]?.focus()
}

/** A click on a row follows its link, except on controls and with modifier keys. */
function follow(event: MouseEvent, to: string): void {
  const target = event.target as HTMLElement
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || event.defaultPrevented) return
  if (target.closest('button, input, select, textarea')) return
  event.preventDefault()
  navigate(to)
}
