import type { OperatorProductSummary } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { useQueryParameter } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Amount, Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { pickColumn } from '../../ui/list/pick-column.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'
import { ExportProducts } from './export-products.tsx'
import { NewProduct } from './new-product.tsx'
import { Thumbnail } from './picture.tsx'
import './products.css'
import { SelectionBar } from './selection-bar.tsx'

const columns: readonly Column<OperatorProductSummary>[] = [
  {
    title: translate('Product'),
    show: ({ name, image }) => (
      <span class="with-thumbnail">
        <Thumbnail url={image} />
        <span>{name}</span>
      </span>
    ),
  },
  { title: translate('Store'), text: true, show: ({ store }) => storeName(store) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('SKUs'), numeric: true, show: ({ skuCount }) => <Count value={skuCount} /> },
  {
    title: translate('Price from'),
    numeric: true,
    show: ({ price }) => (price ? <Amount {...price} /> : translate('No price')),
  },
  {
    title: translate('Available'),
    numeric: true,
    show: ({ available }) => (available === null ? translate('Not tracked') : <Count value={available} />),
  },
  { title: translate('Updated'), show: ({ updatedAt }) => <DateTime at={updatedAt} /> },
]

const STATUSES = ['published', 'draft', 'archived'] as const

const STOCK = [
  ['', translate('All')],
  ['true', translate('Available')],
  ['false', translate('Sold out')],
] as const

/** The products of all stores. */
export function ProductsPage() {
  const [store, setStore] = useQueryParameter('store')
  const [status] = useQueryParameter('status')
  const [stock, setStock] = useQueryParameter('stock')
  const [adding, setAdding] = useState(false)
  const [selected, setSelected] = useState<readonly OperatorProductSummary[]>([])
  const [round, setRound] = useState(0)
  const mayEdit = useMay()('updateProduct')
  const pick = pickColumn<OperatorProductSummary>({
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    selected,
    onChange: setSelected,
  })
  const add = (
    <Allowed by="createProduct">
      <button type="button" class="primary" onClick={() => setAdding(true)}>
        {translate('Add product')}
      </button>
    </Allowed>
  )
  return (
    <>
      <ListPage
        key={round}
        title={translate('Products')}
        lead={translate('Products of all stores. Search by name, brand, slug, or code.')}
        actions={
          <>
            <Allowed by="exportProducts">
              <ExportProducts store={store} />
            </Allowed>
            {add}
          </>
        }
        filters={
          <>
            <StoreSelect value={store} onChange={setStore} none={translate('All')} />
            <QueryFilter name="status" label={translate('Status')} options={STATUSES} />
            <Select name="stock" label={translate('Stock')} value={stock} onChange={setStock} options={STOCK} />
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
        columns={mayEdit ? [pick, ...columns] : columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/products/${id}`}
        empty={{
          title: translate('No products yet'),
          hint: translate('Import a product file, or add your first product.'),
          action: add,
        }}
      />
      <SelectionBar
        ids={selected.map(({ id }) => id)}
        onClear={() => setSelected([])}
        onDone={() => {
          setSelected([])
          setRound(round + 1)
        }}
      />
      {adding && <NewProduct onClose={() => setAdding(false)} />}
    </>
  )
}
