import type { OperatorImport } from '@vitrine/contract/operator'
import { Count, Status } from '../../ui/format/values.tsx'
import { Facts } from '../../ui/page.tsx'

/** How far an import is, and what became of its lines. */
export function ImportFigures({ report }: { readonly report: OperatorImport }) {
  const { status, bytesRead, bytesTotal, read, created, updated, unchanged, refused } = report
  return (
    <>
      {status === 'running' && (
        <progress
          aria-label="How much of the file has been read"
          {...(bytesTotal !== null && { value: bytesRead, max: bytesTotal })}
        />
      )}
      <Facts
        facts={[
          ['Status', <Status key="s" value={status} />],
          ['Lines read', <Count key="l" value={read} />],
          ['Created', <Count key="c" value={created} />],
          ['Updated', <Count key="u" value={updated} />],
          ['Unchanged', <Count key="n" value={unchanged} />],
          ['Refused', <Count key="r" value={refused} />],
        ]}
      />
    </>
  )
}
