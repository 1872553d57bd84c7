import type { OperatorCategory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Count } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ChangeCategory, MoveCategory, NewCategory } from './category-dialogs.tsx'
import { type Branch, inTreeOrder } from './tree.ts'

type Doing = { readonly what: 'make' } | { readonly what: 'change' | 'move'; readonly category: OperatorCategory }

/** Where products stand. */
export function CategoriesPage() {
  const [store, setStore] = useParameter('store')
  const { answer, error, reload } = useCall(store, () =>
    call('listCategories', { query: { store: store || undefined } }),
  )
  const [doing, setDoing] = useState<Doing | null>(null)
  const branches = inTreeOrder(answer?.items ?? [])
  const close = () => setDoing(null)
  const done = () => {
    close()
    reload()
  }
  const make = (
    <button type="button" class="primary" onClick={() => setDoing({ what: 'make' })}>
      New category
    </button>
  )
  const columns: readonly Column<Branch>[] = [
    {
      title: 'Category',
      show: ({ category, name }) => (
        <span class="branch" data-depth={category.path.length}>
          {name}
        </span>
      ),
    },
    { title: 'Slug', show: ({ category }) => <code class="amount">{category.path.at(-1)}</code> },
    { title: 'Of the store', text: true, show: ({ category }) => category.store ?? '' },
    { title: 'Products', figure: true, show: ({ category }) => <Count value={category.productCount} /> },
    {
      title: 'Do',
      acts: true,
      show: ({ category }) => (
        <div class="actions">
          <button type="button" onClick={() => setDoing({ what: 'change', category })}>
            Change
          </button>
          <button type="button" onClick={() => setDoing({ what: 'move', category })}>
            Move
          </button>
        </div>
      ),
    },
  ]
  return (
    <Page
      title="Categories"
      lead="Where products stand, in the whole marketplace or in one store alone."
      actions={make}
    >
      <div class="filters">
        <StoreChoice value={store} onChange={setStore} none="all" label="Store" />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {!answer && !error && <p class="lead">Loading …</p>}
      {answer?.items.length === 0 && (
        <Empty title="There is no category yet" hint="Make one, or import products that name theirs.">
          {make}
        </Empty>
      )}
      <Table caption="Categories" items={branches} columns={columns} keyOf={({ category }) => category.id} />
      {doing?.what === 'make' && <NewCategory branches={branches} onClose={close} onDone={done} />}
      {doing?.what === 'change' && <ChangeCategory category={doing.category} onClose={close} onDone={done} />}
      {doing?.what === 'move' && (
        <MoveCategory category={doing.category} branches={branches} onClose={close} onDone={done} />
      )}
    </Page>
  )
}
