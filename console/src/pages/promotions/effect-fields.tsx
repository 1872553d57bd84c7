import type { OperatorPromotion } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { AmountFields, readAmounts } from '../../ui/form/amounts.tsx'
import { Field, Select } from '../../ui/form/form.tsx'
import { formatPercent, parsePercent } from '../../ui/form/percent.ts'
import { readWholeNumber } from '../../ui/form/whole-number.ts'

type Effect = OperatorPromotion['effect']
export type Kind = Effect['kind']

export const KINDS: readonly (readonly [Kind, string])[] = [
  ['percentage', translate('Percentage')],
  ['fixed_amount', translate('Fixed amount')],
  ['buy_x_get_y', translate('Buy X get Y')],
  ['free_shipping', translate('Free shipping')],
]
export const TARGETS = [
  ['order', translate('Entire order')],
  ['line', translate('Each item')],
  ['shipping', translate('Shipping')],
] as const

interface EffectFieldsProps {
  readonly kind: Kind
  readonly effect: Effect
  readonly store: string | null
}

/** The fields of one kind of discount. */
export function EffectFields({ kind, effect, store }: EffectFieldsProps) {
  const rate = (
    <Field
      name="rate"
      label={translate('Percent off')}
      inputMode="decimal"
      pointer="/effect/rate"
      value={effect.rate === undefined ? '' : formatPercent(effect.rate)}
    />
  )
  const target = (
    <Select name="target" label={translate('Applies to')} value={effect.target ?? 'order'} options={TARGETS} />
  )
  if (kind === 'percentage') return [rate, target]
  if (kind === 'fixed_amount') {
    return [
      <AmountFields
        key="amounts"
        name="amounts"
        label={translate('Amount off')}
        hint={translate('In a currency without an amount, the promotion does not apply.')}
        pointer="/effect/amounts"
        value={effect.amounts ?? {}}
        store={store}
      />,
      target,
    ]
  }
  if (kind === 'free_shipping') return null
  const units = (name: 'buyQuantity' | 'getQuantity', label: string, fallback: number) => (
    <Field
      name={name}
      label={label}
      type="number"
      min={1}
      pointer={`/effect/${name}`}
      value={effect[name] ?? fallback}
    />
  )
  return [
    units('buyQuantity', translate('Customer buys (quantity)'), 2),
    units('getQuantity', translate('Customer gets (quantity)'), 1),
    rate,
    <Field
      key="sets"
      name="setsMax"
      label={translate('Maximum uses per order')}
      inputMode="numeric"
      hint={translate('Leave empty for no limit.')}
      pointer="/effect/setsMax"
      value={effect.setsMax ?? ''}
    />,
  ]
}

/** Reads the fields of the discount. */
export function readEffect(fields: FormData): Effect {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const kind = KINDS.find(([each]) => each === fields.get('kind'))?.[0] ?? 'percentage'
  const target = TARGETS.find(([each]) => each === fields.get('target'))?.[0] ?? 'order'
  const rate = () => parsePercent(typed('rate'), '/effect/rate')
  if (kind === 'percentage') return { kind, target, rate: rate() }
  if (kind === 'fixed_amount') return { kind, target, amounts: readAmounts(fields, 'amounts') }
  if (kind === 'free_shipping') return { kind }
  const setsMax = readWholeNumber(fields, 'setsMax', '/effect/setsMax')
  return {
    kind,
    buyQuantity: Number(typed('buyQuantity')),
    getQuantity: Number(typed('getQuantity')),
    rate: rate(),
    ...(setsMax !== null && { setsMax }),
  }
}
