import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** A button that exports orders as CSV, with the filters of the list and an optional period. */
export function ExportOrders({ filters }: { readonly filters: Readonly<Record<string, string | undefined>> }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const send = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }) => {
    // An empty date would be invalid. A disabled field is not sent.
    for (const input of currentTarget.querySelectorAll<HTMLInputElement>('input[type=date]'))
      input.disabled = !input.value
    setTimeout(close)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {translate('Export CSV')}
      </button>
      {isOpen && (
        <Dialog title={translate('Export orders')} onClose={close}>
          <form action="/operator/v1/exports/orders" onSubmit={send}>
            <p>
              {translate(
                'A row for each item of an order, with names and addresses. The filters of the list apply. The export is recorded in the audit log.',
              )}
            </p>
            {Object.entries(filters).map(
              ([name, value]) => value && <input key={name} type="hidden" {...{ name, value }} />,
            )}
            <label class="field">
              <span>{translate('From (optional)')}</span>
              <input type="date" name="from" />
            </label>
            <label class="field">
              <span>{translate('To (optional)')}</span>
              <input type="date" name="to" />
            </label>
            <div class="actions">
              <button type="submit" class="primary">
                {translate('Download CSV')}
              </button>
              <button type="button" onClick={close}>
                {translate('Cancel')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}
