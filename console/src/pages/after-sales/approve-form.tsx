import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate, translateElements } from '../../language.ts'
import { Link } from '../../router.tsx'
import { LateContent } from '../../ui/dialog.tsx'
import { Field, Form, TextField } from '../../ui/form/form.tsx'
import { formatAmount } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'

interface ApproveProps {
  readonly afterSalesId: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Approves a request. The form is prefilled from the store's policies, and its values are sent to the customer. */
export function ApproveForm({ afterSalesId, onDone, onClose }: ApproveProps) {
  const params = { afterSalesId }
  const { data, error, reload } = useCall(afterSalesId, () => call('getAfterSales', { params }))
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (!data) return <Loading />
  return (
    <LateContent>
      <Approval afterSales={data} onDone={onDone} onClose={onClose} />
    </LateContent>
  )
}

function Approval({
  afterSales: { request, usual = {} },
  onDone,
  onClose,
}: Omit<ApproveProps, 'afterSalesId'> & { readonly afterSales: OperatorAfterSales }) {
  const isReturned = request.kind !== 'refund_only'
  const isRefunded = request.kind === 'refund_only' || request.kind === 'return'
  async function approve(fields: FormData): Promise<void> {
    const typed = (name: string) => String(fields.get(name) ?? '').trim()
    const [instructions, returnAddress, day] = [typed('instructions'), typed('returnAddress'), typed('returnBy')]
    const returnBy = day && new Date(`${day}T23:59:59`).toISOString()
    const body = {
      ...(instructions && { instructions }),
      ...(returnAddress && { returnAddress }),
      ...(returnBy && { returnBy }),
    }
    await call('approveAfterSales', { params: { afterSalesId: request.id }, body })
    onDone()
  }
  return (
    <Form submit={translate('Approve')} cancel={onClose} onSubmit={approve}>
      {isRefunded && (
        <p>
          {isReturned
            ? translate('About {amount} is refunded once the items have arrived. Nothing is paid now.', {
                amount: formatAmount(request.refundEstimate),
              })
            : translate('About {amount} is refunded when you resolve it. Nothing is paid now.', {
                amount: formatAmount(request.refundEstimate),
              })}
        </p>
      )}
      {isReturned && !usual.returnAddress && (
        <Notice>
          <p>
            {translateElements(
              'The policy of the store has no return address, so the customer would not know where to send the items. Enter it here, or for all requests in {link}.',
              { link: <Link to="/policies">{translate('Policies')}</Link> },
            )}
          </p>
        </Notice>
      )}
      {isReturned && (
        <TextField
          name="returnAddress"
          label={translate('Return address')}
          hint={translate('Shown to the customer in the email and on the order page.')}
          value={usual.returnAddress ?? ''}
        />
      )}
      <TextField
        name="instructions"
        label={translate('Instructions for the customer')}
        hint={translate('Shown to the customer. If empty, the store policy applies.')}
        value={usual.instructions ?? ''}
      />
      {isReturned && (
        <Field
          name="returnBy"
          label={translate('Return by')}
          type="date"
          value={usual.returnBy ? localDay(usual.returnBy) : ''}
        />
      )}
    </Form>
  )
}

/** The local date of a time in the format of a date field. */
function localDay(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
