import type { OperatorLineReport } from '@vitrine/contract/operator'
import { translate } from '../language.ts'
import { describeReason } from './form/validation-messages.ts'
import { Notice } from './notice.tsx'

const SHOWN = 20

/** The result of an import: how many lines were imported, and why others were rejected. */
export function ImportReport({ report }: { readonly report: OperatorLineReport }) {
  const { read, created, unchanged, refused, refusals } = report
  return (
    <Notice kind={refused > 0 ? 'bad' : 'good'}>
      <p>
        <strong>
          {translate('Lines read: {read} ({created} created, {unchanged} unchanged, {refused} rejected).', {
            read,
            created,
            unchanged,
            refused,
          })}
        </strong>
      </p>
      {refusals.slice(0, SHOWN).map(({ line, reason }) => (
        <p key={line}>{translate('Line {line}: {reason}', { line, reason: describeReason(reason) })}</p>
      ))}
      {refused > SHOWN && <p class="small">{translate('… and {count} more.', { count: refused - SHOWN })}</p>}
    </Notice>
  )
}
