import type { OperatorProductSummary } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Amount, Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'
import { NewProduct } from './new-product.tsx'

const columns: readonly Column<OperatorProductSummary>[] = [
  { title: 'Product', show: ({ name }) => name },
  { title: 'Store', text: true, show: ({ store }) => store },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'SKUs', figure: true, show: ({ skuCount }) => <Count value={skuCount} /> },
  { title: 'From', figure: true, show: ({ price }) => (price ? <Amount {...price} /> : 'no price') },
  {
    title: 'For sale',
    figure: true,
    show: ({ available }) => (available === null ? 'not counted' : <Count value={available} />),
  },
  { title: 'Changed', show: ({ updatedAt }) => <When at={updatedAt} /> },
]

const STATUSES = ['published', 'draft', 'archived'] as const

/** What is sold. */
export function ProductsPage() {
  const [store, setStore] = useParameter('store')
  const [status] = useParameter('status')
  const [stock, setStock] = useParameter('stock')
  const [making, setMaking] = useState(false)
  const make = (
    <button type="button" class="primary" onClick={() => setMaking(true)}>
      New product
    </button>
  )
  return (
    <>
      <ListPage
        title="Products"
        lead="What is sold, in all stores. Look for a name, a brand, a slug or a number."
        actions={make}
        filters={
          <>
            <StoreChoice value={store} onChange={setStore} none="all" />
            <ParameterSelect name="status" label="Status" options={STATUSES} />
            <Select
              name="stock"
              label="Stock"
              value={stock}
              onChange={setStock}
              options={[
                ['', 'all'],
                ['true', 'can be sold'],
                ['false', 'sold out'],
              ]}
            />
          </>
        }
        load={(query) =>
          call('listProducts', {
            query: {
              ...query,
              store: store || undefined,
              status: STATUSES.find((each) => each === status),
              sellable: stock === '' ? undefined : stock === 'true',
            },
          })
        }
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/products/${id}`}
        empty={{
          title: 'Nothing is sold yet',
          hint: 'Import a file of products, or make the first one here.',
          action: make,
        }}
      />
      {making && <NewProduct onClose={() => setMaking(false)} />}
    </>
  )
}
