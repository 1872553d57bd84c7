import type { OperatorPromotion } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { Check, Field, Select, TextField } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { wordsIn } from '../../ui/format/text.ts'
import { amountLines, amountsIn, EffectFields, effectIn, KINDS, type Kind, TARGETS } from './effect-fields.tsx'

const AUDIENCES = [
  ['anyone', 'Anybody'],
  ['known_customers', 'Who has signed in'],
  ['listed_customers', 'Only those who are listed'],
] as const
const PHASES = ['line', 'order', 'shipping'] as const

/** What is said of a promotion, whether it is new or there already. */
export function RuleFields({ promotion }: { readonly promotion?: OperatorPromotion }) {
  const [kind, setKind] = useState<Kind>(promotion?.effect.kind ?? 'percentage')
  const [audience, setAudience] = useState(promotion?.audience ?? 'anyone')
  const locales = Object.keys(promotion?.title ?? { en: '' })
  return (
    <>
      <TextsFields name="title" label="What shoppers read" locales={locales} value={promotion?.title ?? {}} />
      <Field name="code" label="Code" hint="Empty: it applies by itself." value={promotion?.code ?? ''} />
      <Select
        name="kind"
        label="It takes off"
        value={kind}
        onChange={(value) => setKind(KINDS.find(([each]) => each === value)?.[0] ?? 'percentage')}
        options={KINDS}
      />
      <EffectFields key={kind} kind={kind} effect={promotion?.effect.kind === kind ? promotion.effect : { kind }} />
      <TextField
        name="minimumSubtotal"
        label="What the lines must come to"
        hint="An amount for each currency, one a line, such as 50.00 EUR. Empty: nothing."
        value={amountLines(promotion?.minimumSubtotal ?? {})}
        rows={2}
      />
      <TextField
        name="lines"
        label="Which lines"
        hint="Ids of products and categories, one a line. Empty: all."
        value={[...(promotion?.lines.productIds ?? []), ...(promotion?.lines.categoryIds ?? [])].join('\n')}
        rows={2}
        pointer="/lines"
      />
      <Select
        name="audience"
        label="Who may have it"
        value={audience}
        onChange={(value) => setAudience(AUDIENCES.find(([each]) => each === value)?.[0] ?? 'anyone')}
        options={AUDIENCES}
      />
      {audience === 'listed_customers' && (
        <TextField
          name="customerIds"
          label="Their ids"
          hint="One a line."
          value={promotion?.customerIds.join('\n') ?? ''}
        />
      )}
      <Field
        name="startsAt"
        label="From"
        type="datetime-local"
        hint="In your own time. Empty: from ever."
        value={localTime(promotion?.startsAt ?? null)}
      />
      <Field
        name="endsAt"
        label="Until"
        type="datetime-local"
        hint="In your own time. Empty: for ever."
        value={localTime(promotion?.endsAt ?? null)}
      />
      <Field
        name="usageLimit"
        label="How often in all"
        inputMode="numeric"
        hint="Empty: without limit."
        value={promotion?.usageLimit ?? ''}
      />
      <Field
        name="usageLimitPerCustomer"
        label="How often by one customer"
        inputMode="numeric"
        hint="Empty: without limit. With one, a customer must have signed in."
        value={promotion?.usageLimitPerCustomer ?? ''}
      />
      <Field
        name="priority"
        label="Its turn"
        type="number"
        hint="Lower comes first."
        value={promotion?.priority ?? 0}
      />
      <fieldset>
        <legend>What others may be taken off beside it</legend>
        {PHASES.map((phase) => (
          <Check
            key={phase}
            name="combinesWith"
            value={phase}
            label={TARGETS.find(([each]) => each === phase)?.[1] ?? phase}
            checked={promotion?.combinesWith.includes(phase) ?? false}
          />
        ))}
      </fieldset>
      <Check
        name="stopAfter"
        label="No later one of its kind applies beside it"
        checked={promotion?.stopAfter ?? false}
      />
    </>
  )
}

/** What the fields say. */
export function rulesIn(fields: FormData) {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const countOrNull = (name: string) => (typed(name) === '' ? null : Number(typed(name)))
  const timeOrNull = (name: string) => (typed(name) === '' ? null : new Date(typed(name)).toISOString())
  const selected = wordsIn(fields.get('lines'))
  return {
    title: textsIn(fields, 'title'),
    code: typed('code') || null,
    effect: effectIn(fields),
    lines: {
      productIds: selected.filter((id) => !id.startsWith('cat_')),
      categoryIds: selected.filter((id) => id.startsWith('cat_')),
    },
    minimumSubtotal: amountsIn(fields.get('minimumSubtotal')),
    audience: AUDIENCES.find(([each]) => each === fields.get('audience'))?.[0] ?? 'anyone',
    customerIds: wordsIn(fields.get('customerIds')),
    startsAt: timeOrNull('startsAt'),
    endsAt: timeOrNull('endsAt'),
    usageLimit: countOrNull('usageLimit'),
    usageLimitPerCustomer: countOrNull('usageLimitPerCustomer'),
    priority: Number(typed('priority')),
    combinesWith: PHASES.filter((phase) => fields.getAll('combinesWith').includes(phase)),
    stopAfter: fields.has('stopAfter'),
  }
}

/** A moment as a field of the reader's own time takes it. */
function localTime(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
