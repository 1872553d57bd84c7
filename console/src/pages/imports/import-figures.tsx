import type { OperatorImport } from '@vitrine/contract/operator'
import { Count, Status } from '../../ui/format/values.tsx'
import { Facts } from '../../ui/page.tsx'

/** The progress and the results of an import. */
export function ImportFigures({ report }: { readonly report: OperatorImport }) {
  const { status, bytesRead, bytesTotal, read, created, updated, unchanged, refused } = report
  return (
    <>
      {status === 'running' && (
        <progress aria-label="Import progress" {...(bytesTotal !== null && { value: bytesRead, max: bytesTotal })} />
      )}
      <Facts
        facts={[
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
