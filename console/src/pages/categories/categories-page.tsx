import type { OperatorCategory } from '@vitrine/contract/operator'
import { useMemo, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Count, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Search, Table } from '../../ui/list/list-page.tsx'
import { Pagination } from '../../ui/list/pagination.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { CreateCategory, EditCategory, MoveCategory } from './category-dialogs.tsx'
import { type Branch, inTreeOrder, matching } from './tree.ts'

type OpenDialog = { readonly what: 'create' } | { readonly what: 'edit' | 'move'; readonly category: OperatorCategory }

/** Rows on a page: with 2,000 the browser took seconds for each change. */
const PAGE = 100

/** The category tree. */
export function CategoriesPage() {
  const [store, setStore] = useQueryParameter('store')
  const { data, error, reload } = useCall(store, () => call('listCategories', { query: { store: store || undefined } }))
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [q] = useQueryParameter('q')
  const [cursor] = useQueryParameter('cursor')
  const branches = useMemo(() => inTreeOrder(data?.items ?? []), [data])
  const found = matching(branches, q)
  const first = Number(cursor) || 0
  const shown = found.slice(first, first + PAGE)
  const { actionError, busy, run } = useAction(reload)
  const setStatus = ({ id, version }: OperatorCategory, status: OperatorCategory['status']) =>
    run(() => call('updateCategory', { params: { categoryId: id }, body: { status, expectedVersion: version } }))
  const archive = (category: OperatorCategory) =>
    askThen(
      {
        title: translate('Archive {name}?', { name: localized(category.names) }),
        consequences: translate(
          'It is hidden, with everything below it. Its products are still sold. You can restore it at any time.',
        ),
        action: translate('Archive'),
      },
      () => setStatus(category, 'archived'),
    )
  // Also after Cancel: an attempt whose answer was lost, or another operator, may have changed the tree.
  const close = () => {
    setOpen(null)
    reload()
  }
  const columns = columnsOf({
    shown: new Set(shown.map(({ category }) => category.id)),
    hasStores: branches.some(({ category }) => category.store !== null),
    busy,
    onOpen: setOpen,
    onArchive: archive,
    onRestore: (category) => void setStatus(category, 'active'),
  })
  const create = (
    <Allowed by="createCategory">
      <button type="button" class="primary" onClick={() => setOpen({ what: 'create' })}>
        {translate('Create category')}
      </button>
    </Allowed>
  )
  return (
    <Page
      title={translate('Categories')}
      lead={translate('Product categories of the marketplace or of a single store.')}
      actions={create}
    >
      <div class="filters">
        <Search />
        <StoreSelect value={store} onChange={setStore} none={translate('All')} label={translate('Store')} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {!data && !error && <Loading />}
      {data?.items.length === 0 && (
        <Empty
          title={translate('No categories yet')}
          hint={translate('Create one, or import products with categories.')}
        >
          {create}
        </Empty>
      )}
      {data?.hasMore && <MoreNotice count={data.items.length} />}
      <Table caption={translate('Categories')} items={shown} columns={columns} keyOf={({ category }) => category.id} />
      {branches.length > 0 && found.length === 0 && (
        <Empty title={translate('No results')} hint={translate('Try a different search or remove a filter.')} />
      )}
      <Pagination nextCursor={first + PAGE < found.length ? String(first + PAGE) : null} />
      {open?.what === 'create' && <CreateCategory branches={branches} onClose={close} onDone={close} />}
      {open?.what === 'edit' && <EditCategory category={open.category} onClose={close} onDone={close} />}
      {open?.what === 'move' && (
        <MoveCategory category={open.category} branches={branches} onClose={close} onDone={close} />
      )}
    </Page>
  )
}

interface Actions {
  /** The categories on the page. */
  readonly shown: ReadonlySet<string>
  /** Whether some categories belong to a store. */
  readonly hasStores: boolean
  readonly busy: boolean
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onArchive: (category: OperatorCategory) => void
  readonly onRestore: (category: OperatorCategory) => void
}

function columnsOf({ shown, hasStores, busy, onOpen, onArchive, onRestore }: Actions): readonly Column<Branch>[] {
  return [
    {
      title: translate('Category'),
      wide: true,
      show: ({ category: { parentId, path }, name, above }) =>
        parentId === null || shown.has(parentId) ? (
          <span class="branch" data-depth={path.length}>
            {name}
          </span>
        ) : (
          <span class="branch" data-depth="1">
            {name} <span class="small">{above.join(' › ')}</span>
          </span>
        ),
    },
    { title: translate('Slug'), show: ({ category }) => <code class="amount">{category.path.at(-1)}</code> },
    ...(hasStores
      ? [
          {
            title: translate('Store'),
            show: ({ category }: Branch) => (category.store ? storeName(category.store) : translate('Marketplace')),
          },
        ]
      : []),
    { title: translate('Status'), show: ({ category }) => <Status value={category.status} /> },
    { title: translate('Products'), numeric: true, show: ({ category }) => <Count value={category.productCount} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ category }) => (
        <div class="actions">
          <Allowed by="updateCategory">
            <button type="button" onClick={() => onOpen({ what: 'edit', category })}>
              {translate('Edit')}
            </button>
          </Allowed>
          <Allowed by="moveCategory">
            <button type="button" onClick={() => onOpen({ what: 'move', category })}>
              {translate('Move')}
            </button>
          </Allowed>
          <Allowed by="updateCategory">
            {category.status === 'active' ? (
              <button type="button" disabled={busy} onClick={() => onArchive(category)}>
                {translate('Archive')}
              </button>
            ) : (
              <button type="button" disabled={busy} onClick={() => onRestore(category)}>
                {translate('Restore')}
              </button>
            )}
          </Allowed>
        </div>
      ),
    },
  ]
}

function MoreNotice({ count }: { readonly count: number }) {
  return <p>{translate('Only the first {count} categories are shown. Choose a store to see its own.', { count })}</p>
}
