import type { OperatorOrder } from '@vitrine/contract/operator'
import { Field } from '../../ui/form/form.tsx'

type Line = OperatorOrder['order']['lines'][number]

/** What can still be shipped, or canceled, of a line. */
export const unitsLeft = ({ quantity: { current, fulfilled } }: Line) => current - fulfilled

/** How many of each line: all that is left, unless somebody says less. */
export function UnitFields({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <fieldset>
      <legend>Units</legend>
      {lines.map((line) => (
        <Field
          key={line.id}
          name={`units.${line.id}`}
          label={line.name}
          hint={unitsLeft(line) === 1 ? '1 is left.' : `${unitsLeft(line)} are left.`}
          type="number"
          min={0}
          max={unitsLeft(line)}
          value={unitsLeft(line)}
        />
      ))}
    </fieldset>
  )
}

/** The units that were typed; nothing where they are all that is left. */
export function typedUnits(fields: FormData, lines: readonly Line[]) {
  const typed = lines.map((line) => ({ line, quantity: Number(fields.get(`units.${line.id}`)) }))
  if (typed.every(({ line, quantity }) => quantity === unitsLeft(line))) return {}
  const chosen = typed.filter(({ quantity }) => quantity > 0)
  return { lines: chosen.map(({ line: { id: lineId }, quantity }) => ({ lineId, quantity })) }
}
