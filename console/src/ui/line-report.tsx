import type { OperatorLineReport } from '@vitrine/contract/operator'
import { reasonInWords } from './line-reason.ts'
import { Notice } from './notice.tsx'

const SHOWN = 20

/** What became of the lines of a file, and why some could not be taken. */
export function LineReport({ report, made }: { readonly report: OperatorLineReport; readonly made: string }) {
  const { read, created, unchanged, refused, refusals } = report
  return (
    <Notice kind={refused > 0 ? 'bad' : 'good'}>
      <p>
        <strong>
          Read {read}: {created} {made}, {unchanged} known before, {refused} not taken.
        </strong>
      </p>
      {refusals.slice(0, SHOWN).map(({ line, reason }) => (
        <p key={line}>
          Line {line}: {reasonInWords(reason)}
        </p>
      ))}
      {refused > SHOWN && <p class="small">… and {refused - SHOWN} more.</p>}
    </Notice>
  )
}
