import type { PromotionTrial } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { currenciesOf } from '../../stores.ts'
import { FieldError } from '../../ui/form/field-error.ts'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { countryOptions } from '../../ui/format/countries.ts'
import { currencyName } from '../../ui/format/display-names.ts'
import { Amount, formatAmount } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import type { Choice } from '../../ui/picker.tsx'
import { CustomerPicker, SkuPicker } from '../../ui/record-picker.tsx'

type Explanation = PromotionTrial['promotions'][number]

const back = { to: '/promotions', title: translate('Promotions') }

const REASONS: Readonly<Record<Explanation['reason'], string>> = {
  applied: translate('Applied.'),
  paused: translate('Paused.'),
  code_not_given: translate('Discount code not entered.'),
  invalid: translate('Not available in this currency.'),
  not_started: translate('Not started yet.'),
  expired: translate('Expired.'),
  customer_required: translate('The customer must be signed in.'),
  customer_ineligible: translate('The customer is not eligible.'),
  usage_limit_reached: translate('Usage limit reached.'),
  minimum_not_met: translate('Minimum subtotal not reached.'),
  combination_disallowed: translate('Cannot be combined with another applied promotion.'),
  nothing_to_take_off: translate('Nothing to discount.'),
}

const promotionColumns: readonly Column<Explanation>[] = [
  { title: translate('Promotion'), show: ({ id, title }) => <Link to={`/promotions/${id}`}>{title}</Link> },
  {
    title: translate('Code'),
    show: ({ code }) => (code === null ? translate('Automatic') : <code class="amount">{code}</code>),
  },
  {
    title: translate('Result'),
    show: ({ reason, missing }) => (
      <>
        {REASONS[reason]} {missing && translate('{amount} more needed.', { amount: formatAmount(missing) })}
      </>
    ),
  },
  { title: translate('Discount'), numeric: true, show: ({ amount }) => (amount ? <Amount {...amount} /> : '–') },
]

const lineColumns: readonly Column<PromotionTrial['lines'][number]>[] = [
  { title: translate('Product'), show: ({ name }) => name },
  { title: translate('Quantity'), numeric: true, show: ({ quantity }) => quantity },
  { title: translate('Subtotal'), numeric: true, show: ({ subtotal }) => <Amount {...subtotal} /> },
  { title: translate('Discount'), numeric: true, show: ({ discount }) => <Amount {...discount} /> },
  { title: translate('Total'), numeric: true, show: ({ total }) => <Amount {...total} /> },
]

/** Prices a test cart, and explains which promotions apply to it. */
export function TryPage() {
  const environment = useEnvironment()
  const currencies = currenciesOf()
  const [trial, setTrial] = useState<PromotionTrial | null>(null)
  const [items, setItems] = useState<readonly Choice[]>([])
  return (
    <Page
      title={translate('Test promotions')}
      back={back}
      lead={translate('Price a test cart and see which promotions apply. Nothing is saved.')}
    >
      <Section title={translate('Cart')}>
        <Form
          guarded={false}
          submit={translate('Calculate')}
          onSubmit={async (fields) => {
            const typed = (name: string) => String(fields.get(name) ?? '').trim()
            const [code, customerId] = [typed('code'), typed('customerId')]
            if (items.length === 0) throw new FieldError('/lines', translate('Pick at least one item.'))
            setTrial(
              await call('tryPromotions', {
                body: {
                  store: typed('storeSlug'),
                  lines: items.map(({ id }) => ({ sku: id, quantity: Number(typed(`quantity.${id}`)) })),
                  currency: typed('currency'),
                  country: typed('country'),
                  environment,
                  ...(code && { code }),
                  ...(customerId && { customerId }),
                },
              }),
            )
          }}
        >
          <StoreSelect value="" />
          <SkuPicker
            label={translate('Items')}
            hint={translate('Search by product or SKU code.')}
            ids={items.map(({ id }) => id)}
            onChange={(_, picked) => setItems(picked)}
          />
          {items.map(({ id, name }) => (
            <Field
              key={id}
              name={`quantity.${id}`}
              label={translate('Quantity of {name}', { name })}
              inputMode="numeric"
              value={1}
              required
            />
          ))}
          <Field name="code" label={translate('Discount code')} hint={translate('Leave empty for none.')} />
          <Select
            name="currency"
            label={translate('Currency')}
            options={currencies.map((each) => [each, currencyName(each)])}
          />
          <Select name="country" label={translate('Country')} value="DE" options={countryOptions()} />
          <CustomerPicker
            name="customerId"
            label={translate('Customer')}
            hint={translate('The signed-in customer. Leave empty for a guest.')}
            ids={[]}
            isSingle
          />
        </Form>
      </Section>
      {trial && <Outcome trial={trial} />}
    </Page>
  )
}

function Outcome({ trial }: { readonly trial: PromotionTrial }) {
  const { lines, itemsSubtotal, discount, shipping, tax, total, promotions } = trial
  return (
    <>
      <p class="hidden" role="status">
        {translate('The result is shown below.')}
      </p>
      <Section title={translate('Summary')}>
        <Table
          caption={translate('Lines')}
          items={lines}
          columns={lineColumns}
          keyOf={(line) => String(lines.indexOf(line))}
        />
        <DescriptionList
          items={[
            [translate('Subtotal'), <Amount key="i" {...itemsSubtotal} />],
            [translate('Discounts'), <Amount key="d" {...discount} />],
            [translate('Shipping'), shipping ? <Amount key="s" {...shipping} /> : translate('Not available')],
            [translate('Tax'), <Amount key="t" {...tax} />],
            [translate('Total'), <Amount key="o" {...total} />],
          ]}
        />
      </Section>
      <Section title={translate('Promotions')}>
        {promotions.length === 0 && (
          <Empty title={translate('No promotions yet')} hint={translate('Create a promotion, and test it here.')} />
        )}
        <Table caption={translate('Promotions')} items={promotions} columns={promotionColumns} keyOf={({ id }) => id} />
      </Section>
    </>
  )
}
