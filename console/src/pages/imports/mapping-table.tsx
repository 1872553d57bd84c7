import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { choicesFor } from './targets.ts'

interface MappingTableProps {
  readonly columns: OperatorImportPreview['columns']
  readonly onChange: (targets: readonly string[]) => void
}

/** The columns of a table, each with its first value and a picker of what it becomes. */
export function MappingTable({ columns, onChange }: MappingTableProps) {
  const targets = columns.map(({ target }) => target)
  /** A target has one column: the one that had it before is skipped. */
  const change = (at: number, to: string) =>
    onChange(targets.map((target, index) => (index === at ? to : target === to ? 'skip' : target)))
  return (
    <table class="mapping">
      <caption class="hidden">Columns of the file</caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First value</th>
          <th scope="col">Becomes</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ header, target, example }, index) => (
          <tr key={`${index} ${header}`} class={target === 'skip' ? 'skipped' : ''}>
            <td data-title="Column">
              <div>{header || `Column ${index + 1}`}</div>
            </td>
            <td data-title="First value">
              <div class="example">{example || '–'}</div>
            </td>
            <td data-title="Becomes">
              <select
                aria-label={`${header || `Column ${index + 1}`} becomes`}
                onChange={(event) => change(index, event.currentTarget.value)}
              >
                <option value="skip" selected={target === 'skip'}>
                  Not imported
                </option>
                {choicesFor(header, target).map(([group, choices]) => (
                  <optgroup key={group} label={group}>
                    {choices.map(([value, label]) => (
                      <option key={value} value={value} selected={value === target}>
                        {label}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
