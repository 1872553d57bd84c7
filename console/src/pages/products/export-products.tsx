import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'

/** A button that exports the products of a store as CSV. */
export function ExportProducts({ store }: { readonly store: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {translate('Export CSV')}
      </button>
      {isOpen && (
        <Dialog title={translate('Export products')} onClose={close}>
          <Form
            submit={translate('Download CSV')}
            cancel={close}
            guarded={false}
            onSubmit={async (fields) => {
              location.assign(`/operator/v1/stores/${fields.get('storeSlug')}/products.csv`)
              close()
            }}
          >
            <p>
              {translate(
                'All products of a store, a row for each variant. You can change the file in a spreadsheet and import it again. Fields without a column stay unchanged.',
              )}
            </p>
            <StoreSelect value={store} />
          </Form>
        </Dialog>
      )}
    </>
  )
}
