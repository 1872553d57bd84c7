import type { OperatorOrder } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select } from '../../ui/form/form.tsx'
import { formatDateTime } from '../../ui/format/values.tsx'
import { toast } from '../../ui/toast.tsx'
import { mailKindText } from '../mailbox/mail-kind.ts'

interface ResendProps {
  readonly order: OperatorOrder
  readonly onDone: () => void
}

/** Sends one of the emails of an order again. */
export function ResendMail({ order, onDone }: ResendProps) {
  const [open, setOpen] = useState(false)
  const { mails, email } = order
  const may = useMay()
  if (!may('resendOrderMail') || mails.length === 0) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {translate('Resend email')}
      </button>
      {open && (
        <Dialog title={translate('Resend email')} onClose={() => setOpen(false)}>
          <p>
            {translate('It is sent to {email} with the current state of the order. The timeline records who sent it.', {
              email,
            })}
          </p>
          <Form
            submit={translate('Send again')}
            cancel={() => setOpen(false)}
            onSubmit={async (fields) => {
              const chosen = mails[Number(fields.get('mail'))]
              if (!chosen) return
              const { at: _at, ...body } = chosen
              await call('resendOrderMail', { params: { orderId: order.order.id }, body })
              toast(translate('Sent again to {email}: {mailKind}', { email, mailKind: mailKindText(chosen.kind) }))
              setOpen(false)
              onDone()
            }}
          >
            <Select
              name="mail"
              label={translate('Email')}
              options={mails.map(({ kind, at }, index) => [
                String(index),
                `${mailKindText(kind)}, ${formatDateTime(at)}`,
              ])}
            />
          </Form>
        </Dialog>
      )}
    </>
  )
}
