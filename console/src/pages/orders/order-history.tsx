import type { OperatorOrder } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Form, TextField } from '../../ui/form/form.tsx'
import { operatorName } from '../../ui/format/text.ts'
import { DateTime } from '../../ui/format/values.tsx'
import { Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { mailKindText } from '../mailbox/mail-kind.ts'

/** Who has changed an order or a return. */
export const ACTORS: Readonly<Record<OperatorOrder['history'][number]['actor'], string>> = {
  customer: translate('Customer'),
  installation: translate('Shop'),
  operator: translate('Operator'),
  system: translate('System'),
}

interface Entry {
  readonly at: string
  readonly who: string
  readonly text: string
  readonly isNote: boolean
}

/** Staff notes and events, newest first, each with its author. */
export function OrderHistory({ order, onDone }: { readonly order: OperatorOrder; readonly onDone: () => void }) {
  const may = useMay()
  const [added, setAdded] = useState(0)
  return (
    <Section title={translate('Timeline')}>
      {may('addOrderNote') && (
        <Form
          key={added}
          submit={translate('Add note')}
          onSubmit={async (fields) => {
            const body = { text: String(fields.get('text')).trim() }
            await call('addOrderNote', { params: { orderId: order.order.id }, body })
            toast(translate('Note added'))
            setAdded((before) => before + 1)
            onDone()
          }}
        >
          <TextField
            name="text"
            label={translate('Note')}
            hint={translate('Only staff can see it. Notes cannot be changed later.')}
            rows={2}
            required
          />
        </Form>
      )}
      <ol class="timeline">
        {entriesOf(order).map(({ at, who, text, isNote }, index) => (
          <li key={`${at}${index}`} class={isNote ? 'note' : ''}>
            <span class="text">{text}</span>
            <span class="small">
              <DateTime at={at} /> · {isNote ? translate('Note by {who}', { who }) : who}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function entriesOf({ history, notes }: OperatorOrder): readonly Entry[] {
  const events = history.map(({ at, actor, by, text, mail }) => {
    const message =
      mail === undefined ? text : translate('Email sent again: {mailKind}', { mailKind: mailKindText(mail) })
    return { at, who: by ? operatorName(by) : ACTORS[actor], text: message, isNote: false }
  })
  const written = notes.map(({ at, author, text }) => ({ at, who: operatorName(author), text, isNote: true }))
  return [...events, ...written].sort((one, other) => one.at.localeCompare(other.at)).reverse()
}
