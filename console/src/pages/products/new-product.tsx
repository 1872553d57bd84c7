import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { currenciesOf, languagesFor } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { Check, Field, Form } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { readWholeNumber } from '../../ui/form/whole-number.ts'

/** Adds a product with one SKU and no options. */
export function NewProduct({ onClose }: { readonly onClose: () => void }) {
  const [selectedSlug, setSelectedSlug] = useState('')
  // Those of the first store until one is selected.
  const [currency = 'EUR'] = currenciesOf(selectedSlug)
  const [locale = 'en'] = languagesFor(selectedSlug)
  return (
    <Dialog title={translate('Add product')} onClose={onClose}>
      <Form
        submit={translate('Create')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const code = String(fields.get('code')).trim()
          const product = await call('createProduct', {
            body: {
              store: String(fields.get('storeSlug')),
              externalId: code,
              names: { [locale]: String(fields.get('name')).trim() },
              status: fields.has('published') ? 'published' : 'draft',
              code,
              prices: [{ currency, amount: parseAmount(String(fields.get('price')), currency) }],
              stock: readWholeNumber(fields, 'stock'),
            },
          })
          navigate(`/products/${product.id}`)
        }}
      >
        <StoreSelect value={selectedSlug} onChange={setSelectedSlug} />
        <Field name="name" label={translate('Name')} pointer={`/names/${locale}`} required />
        <Field
          name="code"
          label={translate('SKU code')}
          hint={translate('Also the external ID: an import with this ID updates the product.')}
          required
        />
        <Field
          name="price"
          label={translate('Price in {currency}', { currency })}
          inputMode="decimal"
          placeholder={formatDecimal(1250, currency)}
          pointer="/prices/0/amount"
          required
        />
        <Field
          name="stock"
          label={translate('Stock')}
          inputMode="numeric"
          hint={translate('Leave empty for unlimited stock.')}
        />
        <Check name="published" label={translate('Publish now')} checked />
      </Form>
    </Dialog>
  )
}
