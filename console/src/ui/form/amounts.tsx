import { translate } from '../../language.ts'
import { currenciesOf } from '../../stores.ts'
import { formatDecimal, parseAmount } from './amount-input.ts'
import { Field } from './form.tsx'

type Amounts = Readonly<Record<string, number>>

interface AmountFieldsProps {
  /** The prefix of the field names: `name.EUR`. */
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly pointer?: string
  readonly value?: Amounts
  /** The store whose currencies are shown. Absent: the currencies of all stores. */
  readonly store?: string | null
}

/** One amount for each currency. */
export function AmountFields({ name, label, hint, pointer = `/${name}`, value = {}, store }: AmountFieldsProps) {
  const currencies = [...new Set([...currenciesOf(store), ...Object.keys(value)])]
  return (
    <fieldset>
      <legend>{label}</legend>
      <p class="small">{hint}</p>
      <div class="pair">
        {currencies.map((currency) => (
          <Field
            key={currency}
            name={`${name}.${currency}`}
            label={translate('Amount in {currency}', { currency })}
            inputMode="decimal"
            pointer={`${pointer}/${currency}`}
            value={value[currency] === undefined ? '' : formatDecimal(value[currency], currency)}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Reads the fields of `AmountFields`. Empty ones are left out. */
export function readAmounts(fields: FormData, name: string): Record<string, number> {
  const typed = [...fields.entries()].filter(([field, text]) => field.startsWith(`${name}.`) && String(text).trim())
  return Object.fromEntries(
    typed.map(([field, text]) => {
      const currency = field.slice(name.length + 1)
      return [currency, parseAmount(String(text), currency)]
    }),
  )
}
