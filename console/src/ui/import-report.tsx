import type { OperatorLineReport } from '@vitrine/contract/operator'
import { Notice } from './notice.tsx'

const MISSING = /^(?:\/|(?<where>\/\S+)): must have required propert(?:y|ies) .*\((?<names>[^)]*)\)\.$/

/** Why a line could not be taken, without the words that machines describe forms by. */
export function reasonInWords(reason: string): string {
  const { where, names } = MISSING.exec(reason)?.groups ?? {}
  if (names === undefined) return reason.replace(/^\/: /, '')
  const place = where === undefined ? 'It has' : `${where} has`
  return `${place} no ${names.split(', ').join(' and no ')}.`
}

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
