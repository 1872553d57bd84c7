import type { OperatorOrder } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Field } from '../../ui/form/form.tsx'
import { variantName } from './order-items.tsx'

type Line = OperatorOrder['order']['lines'][number]

/** The quantity of a line that can still be shipped or canceled. */
export const remainingQuantity = ({ quantity: { current, fulfilled } }: Line) => current - fulfilled

/** The quantity of each line. The default is the remaining quantity. */
export function QuantityFields({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <fieldset>
      <legend>{translate('Quantity')}</legend>
      {lines.map((line) => (
        <Field
          key={line.id}
          name={`units.${line.id}`}
          label={variantName(line)}
          hint={translate('{remainingQuantity} remaining.', { remainingQuantity: remainingQuantity(line) })}
          type="number"
          min={0}
          max={remainingQuantity(line)}
          value={remainingQuantity(line)}
        />
      ))}
    </fieldset>
  )
}

/** Reads the quantities. If all remaining units are selected, there are no `lines`. */
export function readQuantities(fields: FormData, lines: readonly Line[]) {
  const typed = lines.map((line) => ({ line, quantity: Number(fields.get(`units.${line.id}`)) }))
  if (typed.every(({ line, quantity }) => quantity === remainingQuantity(line))) return {}
  const selected = typed.filter(({ quantity }) => quantity > 0)
  return { lines: selected.map(({ line: { id: lineId }, quantity }) => ({ lineId, quantity })) }
}
