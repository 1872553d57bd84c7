import type { OperatorImport } from '@vitrine/contract/operator'
import { Count, Status } from '../../ui/format/values.tsx'
import { DescriptionList } from '../../ui/page.tsx'

/** Whether an import has yet to end. */
export function isOngoing({ status }: OperatorImport): boolean {
  return status === 'uploading' || status === 'waiting' || status === 'running'
}

/** The progress and the results of an import. */
export function ImportProgress({ report }: { readonly report: OperatorImport }) {
  const { status, bytesRead, bytesTotal, read, created, updated, unchanged, refused } = report
  return (
    <>
      {isOngoing(report) && (
        <progress aria-label="Import progress" {...(bytesTotal !== null && { value: bytesRead, max: bytesTotal })} />
      )}
      <DescriptionList
        items={[
          ['Status', <Status key="s" value={status} />],
          ['Lines read', <Count key="l" value={read} />],
          ['Created', <Count key="c" value={created} />],
          ['Updated', <Count key="u" value={updated} />],
          ['Unchanged', <Count key="n" value={unchanged} />],
          ['Rejected', <Count key="r" value={refused} />],
        ]}
      />
    </>
  )
}
