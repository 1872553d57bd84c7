import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { minorOf } from '../../ui/form/amount-input.ts'
import { Check, Field, Form } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'

/** Adds a product with one SKU and no options. */
export function NewProduct({ onClose }: { readonly onClose: () => void }) {
  const stores = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const [chosen, setChosen] = useState('')
  const store = stores.answer?.items.find(({ slug }) => slug === chosen) ?? stores.answer?.items[0]
  const currency = store?.currencies[0] ?? 'EUR'
  const locale = store?.locales[0] ?? 'en'
  return (
    <Dialog title="Add product" onClose={onClose}>
      <Form
        submit="Create"
        cancel={onClose}
        onSubmit={async (fields) => {
          const code = String(fields.get('code')).trim()
          const stock = String(fields.get('stock')).trim()
          const made = await call('createProduct', {
            body: {
              store: String(fields.get('storeSlug')),
              externalId: code,
              names: { [locale]: String(fields.get('name')).trim() },
              status: fields.has('published') ? 'published' : 'draft',
              code,
              prices: [{ currency, amount: minorOf(String(fields.get('price')), currency) }],
              stock: stock === '' ? null : Number(stock),
            },
          })
          go(`/products/${made.id}`)
        }}
      >
        <StoreChoice value={chosen} onChange={setChosen} />
        <Field name="name" label="Name" pointer={`/names/${locale}`} required />
        <Field
          name="code"
          label="SKU code"
          hint="Also the external ID: an import with this ID updates the product."
          required
        />
        <Field
          name="price"
          label={`Price in ${currency}`}
          inputMode="decimal"
          placeholder="12.50"
          pointer="/prices/0/amount"
          required
        />
        <Field name="stock" label="Stock" inputMode="numeric" hint="Leave empty for unlimited stock." />
        <Check name="published" label="Publish now" checked />
      </Form>
    </Dialog>
  )
}
