import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { choicesFor } from './targets.ts'

interface MappingTableProps {
  readonly columns: OperatorImportPreview['columns']
  readonly onChange: (targets: readonly string[]) => void
}

/** The columns of a table, each with its first value and a select for its target. */
export function MappingTable({ columns, onChange }: MappingTableProps) {
  const targets = columns.map(({ target }) => target)
  /** A target has at most one column: the column that had it before is skipped. */
  const change = (at: number, to: string) =>
    onChange(targets.map((target, index) => (index === at ? to : target === to ? 'skip' : target)))
  return (
    <table class="mapping">
      <caption class="hidden">{translate('Columns of the file')}</caption>
      <thead>
        <tr>
          <th scope="col">{translate('Column')}</th>
          <th scope="col">{translate('First value')}</th>
          <th scope="col">{translate('Imported as')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ header, target, example }, index) => (
          <tr key={`${index} ${header}`} class={target === 'skip' ? 'skipped' : ''}>
            <td data-title={translate('Column')}>
              <div>{header || translate('Column {index}', { index: index + 1 })}</div>
            </td>
            <td data-title={translate('First value')}>
              <div class="example">{example || '–'}</div>
            </td>
            <td data-title={translate('Imported as')}>
              <select
                aria-label={translate('{header} imported as', {
                  header: header || translate('Column {index}', { index: index + 1 }),
                })}
                onChange={(event) => change(index, event.currentTarget.value)}
              >
                <option value="skip" selected={target === 'skip'}>
                  {translate('Not imported')}
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
