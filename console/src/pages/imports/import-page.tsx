import type { OperatorImportReport } from '@vitrine/contract/operator'
import { useEffect } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Count, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { reasonInWords } from '../../ui/import-report.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { ImportFigures } from './import-figures.tsx'

type RefusedLine = OperatorImportReport['refusals'][number]

const back = { to: '/imports', title: 'Imports' }
const POLL_MS = 1000
const SHOWN_MAX = 100
const columns: readonly Column<RefusedLine>[] = [
  { title: 'Line', figure: true, show: ({ line }) => <Count value={line} /> },
  { title: 'Why it could not be taken', wide: true, show: ({ reason }) => reasonInWords(reason) },
]

/** An import: how far it is, and every line that it could not take. */
export function ImportPage({ params }: PageProps) {
  const importId = params.importId ?? ''
  const { answer, error, reload } = useCall(importId, () => call('getImport', { params: { importId } }))
  useEffect(() => {
    if (answer?.status !== 'running') return
    const waiting = setTimeout(reload, POLL_MS)
    return () => clearTimeout(waiting)
  }, [answer])
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { fileName, format, store, startedAt, finishedAt, failure, status, refused } = answer
  return (
    <Page title={fileName ?? `An import of ${format}`} back={back}>
      {failure && (
        <Notice kind="bad">
          <p>{failure}</p>
        </Notice>
      )}
      {status === 'interrupted' && (
        <Notice kind="bad">
          <p>Nothing has been heard of it for minutes. Import the file again: what was taken is passed over.</p>
        </Notice>
      )}
      {status === 'completed' && refused === 0 && (
        <Notice kind="good">
          <p>Every line was taken.</p>
        </Notice>
      )}
      <Section title="What became of its lines">
        <ImportFigures report={answer} />
      </Section>
      {refused > 0 && <Refused report={answer} />}
      <Section title="About it">
        <Facts
          facts={[
            ['Store', store ?? 'as its lines say'],
            ['Begun', <When key="b" at={startedAt} />],
            ...(finishedAt ? [['Over', <When key="o" at={finishedAt} />] as const] : []),
            ['Id', <code key="i">{answer.id}</code>],
          ]}
        />
      </Section>
    </Page>
  )
}

function Refused({ report: { id, refused, refusals } }: { readonly report: OperatorImportReport }) {
  const kept = refusals.length < refused ? ` The first ${refusals.length} are kept.` : ''
  const shown = refusals.slice(0, SHOWN_MAX)
  return (
    <Section
      title="Lines that could not be taken"
      actions={
        <a class="button" download={`${id}-refused.csv`} href={URL.createObjectURL(tableOf(refusals))}>
          Save as CSV
        </a>
      }
    >
      <p class="small">
        Mend them in the file and import it again: the others are passed over.{kept}
        {shown.length < refusals.length ? ` ${shown.length} are shown here; the file has them all.` : ''}
      </p>
      <Table caption="Refused lines" items={shown} columns={columns} keyOf={({ line }) => String(line)} />
    </Section>
  )
}

/** A table in the form of RFC 4180. What begins like a formula is kept from becoming one in a spreadsheet. */
function tableOf(refusals: readonly RefusedLine[]): Blob {
  const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  const rows = refusals.map(({ line, reason }) => `${line},${cell(reason)}`)
  return new Blob([['line,reason', ...rows, ''].join('\r\n')], { type: 'text/csv' })
}
