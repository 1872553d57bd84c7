import type { OperatorPromotion } from '@vitrine/contract/operator'
import { majorOf, minorOf } from '../../ui/form/amount-input.ts'
import { Field, Select, TextField } from '../../ui/form/form.tsx'

type Effect = OperatorPromotion['effect']
export type Kind = Effect['kind']

export const KINDS: readonly (readonly [Kind, string])[] = [
  ['percentage', 'Percentage'],
  ['fixed_amount', 'Fixed amount'],
  ['buy_x_get_y', 'Buy X get Y'],
  ['free_shipping', 'Free shipping'],
]
export const TARGETS = [
  ['order', 'Entire order'],
  ['line', 'Each item'],
  ['shipping', 'Shipping'],
] as const

/** The fields of one kind of discount. */
export function EffectFields({ kind, effect }: { readonly kind: Kind; readonly effect: Effect }) {
  const rate = (
    <Field
      name="rate"
      label="Percent off"
      inputMode="decimal"
      pointer="/effect/rate"
      value={effect.rate === undefined ? '' : Math.round(Number(effect.rate) * 1e6) / 1e4}
    />
  )
  const target = <Select name="target" label="Applies to" value={effect.target ?? 'order'} options={TARGETS} />
  if (kind === 'percentage') return [rate, target]
  if (kind === 'fixed_amount') {
    return [
      <TextField
        key="amounts"
        name="amounts"
        label="Amounts"
        hint="One per currency and line, such as 5.00 EUR."
        pointer="/effect/amounts"
        value={amountLines(effect.amounts ?? {})}
        rows={2}
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
    units('buyQuantity', 'Customer buys (quantity)', 2),
    units('getQuantity', 'Customer gets (quantity)', 1),
    rate,
    <Field
      key="sets"
      name="setsMax"
      label="Maximum uses per order"
      inputMode="numeric"
      hint="Leave empty for no limit."
      pointer="/effect/setsMax"
      value={effect.setsMax ?? ''}
    />,
  ]
}

/** Reads the fields of the discount. */
export function effectIn(fields: FormData): Effect {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const kind = KINDS.find(([each]) => each === fields.get('kind'))?.[0] ?? 'percentage'
  const target = TARGETS.find(([each]) => each === fields.get('target'))?.[0] ?? 'order'
  const rate = rateOf(typed('rate'))
  if (kind === 'percentage') return { kind, target, rate }
  if (kind === 'fixed_amount') return { kind, target, amounts: amountsIn(fields.get('amounts')) }
  if (kind === 'free_shipping') return { kind }
  const setsMax = typed('setsMax')
  return {
    kind,
    buyQuantity: Number(typed('buyQuantity')),
    getQuantity: Number(typed('getQuantity')),
    rate,
    ...(setsMax && { setsMax: Number(setsMax) }),
  }
}

/** Converts `12.5` percent to `0.125` digit by digit, to avoid floating-point errors. */
function rateOf(percent: string): string {
  const [, whole = '', part = ''] = /^(\d{1,3})(?:[.,](\d{1,6}))?$/.exec(percent) ?? []
  if (whole === '') return percent
  const digits = `${whole.padStart(3, '0')}${part}`
  return `${Number(digits.slice(0, -2 - part.length))}.${digits.slice(-2 - part.length)}`
}

/** Formats amounts, one per line. */
export function amountLines(amounts: Readonly<Record<string, number>>): string {
  return Object.entries(amounts)
    .map(([currency, amount]) => `${majorOf(amount, currency)} ${currency}`)
    .join('\n')
}

/** Parses amounts such as `5.00 EUR`, one per line. */
export function amountsIn(typed: FormDataEntryValue | null): Record<string, number> {
  const lines = String(typed ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const currency = /[A-Za-z]{3}/.exec(line)?.[0].toUpperCase() ?? ''
      return [currency || line.trim(), minorOf(line.replace(/[A-Za-z]+/, ''), currency || 'EUR')]
    }),
  )
}
