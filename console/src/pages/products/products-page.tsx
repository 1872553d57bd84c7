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
  { title: 'Price from', figure: true, show: ({ price }) => (price ? <Amount {...price} /> : 'No price') },
  {
    title: 'Available',
    figure: true,
    show: ({ available }) => (available === null ? 'Not tracked' : <Count value={available} />),
  },
  { title: 'Updated', show: ({ updatedAt }) => <When at={updatedAt} /> },
]

const STATUSES = ['published', 'draft', 'archived'] as const

/** The products of all stores. */
export function ProductsPage() {
  const [store, setStore] = useParameter('store')
  const [status] = useParameter('status')
  const [stock, setStock] = useParameter('stock')
  const [adding, setAdding] = useState(false)
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add product
    </button>
  )
  return (
    <>
      <ListPage
        title="Products"
        lead="Products of all stores. Search by name, brand, slug, or code."
        actions={add}
        filters={
          <>
            <StoreChoice value={store} onChange={setStore} none="All" />
            <ParameterSelect name="status" label="Status" options={STATUSES} />
            <Select
              name="stock"
              label="Stock"
              value={stock}
              onChange={setStock}
              options={[
                ['', 'All'],
                ['true', 'Available'],
                ['false', 'Sold out'],
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
          title: 'No products yet',
          hint: 'Import a product file, or add your first product.',
          action: add,
        }}
      />
      {adding && <NewProduct onClose={() => setAdding(false)} />}
    </>
  )
}
