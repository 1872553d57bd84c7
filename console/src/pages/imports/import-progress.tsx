import type { OperatorImport } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { storeName } from '../../stores.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { DescriptionList } from '../../ui/page.tsx'

/** Whether an import has not ended yet. */
export function isOngoing({ status }: OperatorImport): boolean {
  return status === 'uploading' || status === 'waiting' || status === 'running'
}

/** The progress and the results of an import. The bar stays after the end: without it, the content below would move. */
export function ImportProgress({ report }: { readonly report: OperatorImport }) {
  const { id, status, bytesRead, bytesTotal, read, created, updated, unchanged, refused } = report
  const { store, startedAt, finishedAt } = report
  return (
    <>
      <progress
        aria-label={translate('Import progress')}
        {...(bytesTotal !== null ? { value: bytesRead, max: bytesTotal } : !isOngoing(report) && { value: 1 })}
      />
      <DescriptionList
        items={[
          [translate('Status'), <Status key="s" value={status} />],
          [translate('Lines read'), <Count key="l" value={read} />],
          [translate('Created'), <Count key="c" value={created} />],
          [translate('Updated'), <Count key="u" value={updated} />],
          [translate('Unchanged'), <Count key="n" value={unchanged} />],
          [translate('Rejected'), <Count key="r" value={refused} />],
          [translate('Store'), store ? storeName(store) : translate('As specified per line')],
          [translate('Started'), <DateTime key="b" at={startedAt} />],
          [translate('Finished'), finishedAt ? <DateTime key="o" at={finishedAt} /> : '–'],
          ['ID', <code key="i">{id}</code>],
        ]}
      />
    </>
  )
}
