import type { OperatorPromotion } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { languagesFor } from '../../stores.ts'
import { AmountFields, readAmounts } from '../../ui/form/amounts.tsx'
import { Check, Field, Select } from '../../ui/form/form.tsx'
import { LocalizedFields, readLocalized } from '../../ui/form/localized-text.tsx'
import { readWholeNumber } from '../../ui/form/whole-number.ts'
import { splitList } from '../../ui/format/text.ts'
import { Section } from '../../ui/page.tsx'
import { CategoryPicker, CustomerPicker, ProductPicker } from '../../ui/record-picker.tsx'
import { EffectFields, KINDS, type Kind, readEffect } from './effect-fields.tsx'
import { localTime, timestampOf } from './local-time.ts'

const AUDIENCES = [
  ['anyone', translate('Everyone')],
  ['known_customers', translate('Signed-in customers')],
  ['listed_customers', translate('Specific customers')],
] as const
const PHASES = [
  ['line', translate('Item discounts')],
  ['order', translate('Order discounts')],
  ['shipping', translate('Shipping discounts')],
] as const

interface WithPromotion {
  readonly promotion: OperatorPromotion | undefined
}

interface RuleFieldsProps extends WithPromotion {
  /** The store of the promotion; `null`: the marketplace. */
  readonly store: string | null
  /** The first section of the side column. */
  readonly children?: ComponentChildren
}

/** The fields of a new or existing promotion: discount, products and combinations, and in the side column dates, customers and limits. */
export function RuleFields({ promotion, store, children }: RuleFieldsProps) {
  return (
    <div class="with-side">
      <div class="stacked">
        <Discount promotion={promotion} store={store} />
        <Section title={translate('Products')}>
          <ProductPicker
            name="productIds"
            label={translate('Products')}
            hint={translate('Leave products and categories empty for all products.')}
            ids={promotion?.lines.productIds ?? []}
          />
          <CategoryPicker name="categoryIds" label={translate('Categories')} ids={promotion?.lines.categoryIds ?? []} />
        </Section>
        <Section title={translate('Combinations')}>
          <Combinations promotion={promotion} />
        </Section>
      </div>
      <div class="stacked">
        {children}
        <Section title={translate('Active dates')}>
          <Dates promotion={promotion} />
        </Section>
        <Section title={translate('Customers')}>
          <Eligibility promotion={promotion} />
        </Section>
        <Section title={translate('Limits')}>
          <Limits promotion={promotion} />
        </Section>
      </div>
    </div>
  )
}

/** The discount and its code. */
function Discount({ promotion, store }: RuleFieldsProps) {
  const [kind, setKind] = useState<Kind>(promotion?.effect.kind ?? 'percentage')
  const effect = promotion?.effect.kind === kind ? promotion.effect : { kind }
  return (
    <Section title={translate('Discount')}>
      <LocalizedFields
        name="title"
        label={translate('Title shown to customers')}
        locales={languagesFor(store)}
        value={promotion?.title ?? {}}
      />
      <Field
        name="code"
        label={translate('Discount code')}
        hint={translate('Leave empty for an automatic discount.')}
        value={promotion?.code ?? ''}
      />
      <Select
        name="kind"
        label={translate('Discount type')}
        value={kind}
        onChange={(value) => setKind(KINDS.find(([each]) => each === value)?.[0] ?? 'percentage')}
        options={KINDS}
      />
      <EffectFields key={kind} kind={kind} effect={effect} store={store} />
      <AmountFields
        name="minimumSubtotal"
        label={translate('Minimum subtotal')}
        hint={translate(
          'Leave empty for no minimum. With one, the promotion applies only in currencies that have an amount.',
        )}
        value={promotion?.minimumSubtotal ?? {}}
        store={store}
      />
    </Section>
  )
}

/** The eligible customers. */
function Eligibility({ promotion }: WithPromotion) {
  const [audience, setAudience] = useState(promotion?.audience ?? 'anyone')
  return (
    <>
      <Select
        name="audience"
        label={translate('Customer eligibility')}
        value={audience}
        onChange={(value) => setAudience(AUDIENCES.find(([each]) => each === value)?.[0] ?? 'anyone')}
        options={AUDIENCES}
      />
      {audience === 'listed_customers' && (
        <CustomerPicker
          name="customerIds"
          label={translate('Customers')}
          hint={translate('Search by a part of the name or by the whole email address.')}
          ids={promotion?.customerIds ?? []}
        />
      )}
    </>
  )
}

/** The period of the promotion. */
function Dates({ promotion }: WithPromotion) {
  return (
    <>
      <Field
        name="startsAt"
        label={translate('Starts at')}
        type="datetime-local"
        hint={translate('In your time zone. Leave empty to start now.')}
        value={localTime(promotion?.startsAt ?? null)}
      />
      <Field
        name="endsAt"
        label={translate('Ends at')}
        type="datetime-local"
        hint={translate('In your time zone. Leave empty for no end date.')}
        value={localTime(promotion?.endsAt ?? null)}
      />
    </>
  )
}

/** The limits on the number of redemptions. */
function Limits({ promotion }: WithPromotion) {
  return (
    <>
      <Field
        name="usageLimit"
        label={translate('Total usage limit')}
        inputMode="numeric"
        hint={translate('Leave empty for no limit.')}
        value={promotion?.usageLimit ?? ''}
      />
      <Field
        name="usageLimitPerCustomer"
        label={translate('Usage limit per customer')}
        inputMode="numeric"
        hint={translate('Leave empty for no limit. With a limit, customers must sign in.')}
        value={promotion?.usageLimitPerCustomer ?? ''}
      />
    </>
  )
}

/** The priority of the promotion, and the discounts it can be combined with. */
function Combinations({ promotion }: WithPromotion) {
  return (
    <>
      <Field
        name="priority"
        label={translate('Priority')}
        type="number"
        hint={translate('Lower numbers apply first.')}
        value={promotion?.priority ?? 0}
      />
      <fieldset>
        <legend>{translate('Can be combined with')}</legend>
        {PHASES.map(([phase, label]) => (
          <Check
            key={phase}
            name="combinesWith"
            value={phase}
            label={label}
            checked={promotion?.combinesWith.includes(phase) ?? false}
          />
        ))}
      </fieldset>
      <Check
        name="stopAfter"
        label={translate('Stop processing further promotions of this kind')}
        checked={promotion?.stopAfter ?? false}
      />
    </>
  )
}

/** Reads the fields of a new or existing promotion. */
export function readRules(fields: FormData, promotion?: OperatorPromotion) {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const timeOrNull = (name: 'startsAt' | 'endsAt') => timestampOf(typed(name), promotion?.[name] ?? null)
  return {
    title: readLocalized(fields, 'title'),
    code: typed('code') || null,
    effect: readEffect(fields),
    lines: {
      productIds: splitList(fields.get('productIds')),
      categoryIds: splitList(fields.get('categoryIds')),
    },
    minimumSubtotal: readAmounts(fields, 'minimumSubtotal'),
    audience: AUDIENCES.find(([each]) => each === fields.get('audience'))?.[0] ?? 'anyone',
    customerIds: splitList(fields.get('customerIds')),
    startsAt: timeOrNull('startsAt'),
    endsAt: timeOrNull('endsAt'),
    usageLimit: readWholeNumber(fields, 'usageLimit'),
    usageLimitPerCustomer: readWholeNumber(fields, 'usageLimitPerCustomer'),
    priority: Number(typed('priority')),
    combinesWith: PHASES.map(([phase]) => phase).filter((phase) => fields.getAll('combinesWith').includes(phase)),
    stopAfter: fields.has('stopAfter'),
  }
}
