import type { InputOf } from '@vitrine/contract'
import type { OperatorStatement, operatorOperations } from '@vitrine/contract/operator'
import { translate, translateElements } from '../../language.ts'
import { Field, Form, fieldErrorsOf, Select } from '../../ui/form/form.tsx'

type Csv = NonNullable<OperatorStatement['csv']>
type Query = InputOf<(typeof operatorOperations)['previewBankStatement']>['query']
/** The operator's settings for reading a file. */
export type Reading = Omit<Query, 'environment'>

const ROLES = {
  date: translate('Date'),
  amount: translate('Amount'),
  purpose: translate('Reference text'),
  payer: translate('Payer'),
  currencyColumn: translate('Currency'),
  account: translate('Our IBAN'),
  bankId: translate('Bank reference'),
  sign: translate('Debit or credit'),
} as const
type Role = keyof typeof ROLES

const CHOICES = [
  {
    name: 'decimal',
    label: translate('Decimal mark'),
    options: [
      ['comma', translate('Comma: 1.234,56')],
      ['point', translate('Point: 1,234.56')],
    ],
  },
  {
    name: 'dates',
    label: translate('Dates'),
    options: [
      ['dmy', translate('Day, month, year')],
      ['mdy', translate('Month, day, year')],
      ['ymd', translate('Year, month, day')],
    ],
  },
] as const

/** Asks what a file that was refused does not say itself. */
export function OpenQuestions({
  error,
  onRead,
}: {
  readonly error: unknown
  readonly onRead: (reading: Reading) => Promise<void>
}) {
  const errors = fieldErrorsOf(error)
  const asked = CHOICES.filter(({ name }) => errors.has(`/${name}`))
  if (asked.length === 0) return null
  return (
    <Form
      submit={translate('Read again')}
      guarded={false}
      onSubmit={(fields) => onRead(Object.fromEntries(asked.map(({ name }) => [name, String(fields.get(name))])))}
    >
      {asked.map(({ name, label, options }) => (
        <Select key={name} name={name} label={label} value={options[0][0]} options={options} />
      ))}
    </Form>
  )
}

/** Shows how a CSV file was read, and corrects it. */
export function CsvFields({
  csv,
  onRead,
}: {
  readonly csv: Csv
  readonly onRead: (reading: Reading) => Promise<void>
}) {
  const headers = [...new Set(csv.headers)].filter((header) => header !== '')
  const chosen = (role: Role) =>
    csv.columns.find((column) => column.role === (role === 'currencyColumn' ? 'currency' : role))?.header ?? ''
  const summary = csv.columns.map(({ header }) => header).join(', ')
  return (
    <details>
      <summary>{translateElements('Columns: {columns}', { columns: <span class="small">{summary}</span> })}</summary>
      <Form submit={translate('Read again')} onSubmit={(fields) => onRead(readingOf(fields))}>
        {(Object.keys(ROLES) as Role[]).map((role) => (
          <Select
            key={role}
            name={role}
            label={ROLES[role]}
            value={chosen(role)}
            options={[['', translate('None')], ...headers.map((header) => [header, header] as const)]}
          />
        ))}
        {CHOICES.map(({ name, label, options }) => (
          <Select key={name} name={name} label={label} value={csv[name]} options={options} />
        ))}
        <Field name="currency" label={translate('Currency of lines without one')} value={csv.currency} required />
      </Form>
    </details>
  )
}

/** No column. Headers are trimmed, so none is a space; an empty parameter would not be sent, and the column would be guessed. */
const NONE = ' '

function readingOf(fields: FormData): Reading {
  const columns = Object.fromEntries(
    (Object.keys(ROLES) as Role[]).map((role) => [role, String(fields.get(role)) || NONE]),
  )
  return {
    ...columns,
    decimal: fields.get('decimal') as NonNullable<Reading['decimal']>,
    dates: fields.get('dates') as NonNullable<Reading['dates']>,
    currency: String(fields.get('currency')).trim().toUpperCase(),
  }
}
