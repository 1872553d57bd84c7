import type { OperatorOrder } from '@vitrine/contract/operator'
import { Field } from '../../ui/form/form.tsx'

type Line = OperatorOrder['order']['lines'][number]

/** The quantity of a line that can still be shipped or canceled. */
export const unitsLeft = ({ quantity: { current, fulfilled } }: Line) => current - fulfilled

/** The quantity of each line. Default: all that is left. */
export function UnitFields({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <fieldset>
      <legend>Quantity</legend>
      {lines.map((line) => (
        <Field
          key={line.id}
          name={`units.${line.id}`}
          label={line.name}
          hint={`${unitsLeft(line)} remaining.`}
          type="number"
          min={0}
          max={unitsLeft(line)}
          value={unitsLeft(line)}
        />
      ))}
    </fieldset>
  )
}

/** Reads the quantities; nothing if all remaining units are selected. */
export function typedUnits(fields: FormData, lines: readonly Line[]) {
  const typed = lines.map((line) => ({ line, quantity: Number(fields.get(`units.${line.id}`)) }))
  if (typed.every(({ line, quantity }) => quantity === unitsLeft(line))) return {}
  const chosen = typed.filter(({ quantity }) => quantity > 0)
  return { lines: chosen.map(({ line: { id: lineId }, quantity }) => ({ lineId, quantity })) }
}
