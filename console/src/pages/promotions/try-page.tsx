import type { PromotionTrial } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { Link } from '../../router.tsx'
import { Field, Form, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Amount } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'

type Explanation = PromotionTrial['promotions'][number]

const back = { to: '/promotions', title: 'Promotions' }

const REASONS: Readonly<Record<Explanation['reason'], string>> = {
  applied: 'Applied.',
  paused: 'Paused.',
  code_not_given: 'Discount code not entered.',
  invalid: 'Not available in this currency.',
  not_started: 'Not started yet.',
  expired: 'Expired.',
  customer_required: 'The customer must be signed in.',
  customer_ineligible: 'The customer is not eligible.',
  usage_limit_reached: 'Usage limit reached.',
  minimum_not_met: 'Minimum subtotal not reached.',
  combination_disallowed: 'Cannot be combined with another applied promotion.',
  nothing_to_take_off: 'Nothing to discount.',
}

const promotionColumns: readonly Column<Explanation>[] = [
  { title: 'Promotion', show: ({ id, title }) => <Link to={`/promotions/${id}`}>{title}</Link> },
  { title: 'Code', show: ({ code }) => (code === null ? 'Automatic' : <code class="amount">{code}</code>) },
  {
    title: 'Result',
    show: ({ reason, missing }) => (
      <>
        {REASONS[reason]}{' '}
        {missing && (
          <>
            <Amount {...missing} /> more needed.
          </>
        )}
      </>
    ),
  },
  { title: 'Discount', numeric: true, show: ({ amount }) => (amount ? <Amount {...amount} /> : '–') },
]

const lineColumns: readonly Column<PromotionTrial['lines'][number]>[] = [
  { title: 'Product', show: ({ name }) => name },
  { title: 'Quantity', numeric: true, show: ({ quantity }) => quantity },
  { title: 'Subtotal', numeric: true, show: ({ subtotal }) => <Amount {...subtotal} /> },
  { title: 'Discount', numeric: true, show: ({ discount }) => <Amount {...discount} /> },
  { title: 'Total', numeric: true, show: ({ total }) => <Amount {...total} /> },
]

/** Prices a test cart, and explains which promotions apply to it. */
export function TryPage() {
  const environment = useEnvironment()
  const [trial, setTrial] = useState<PromotionTrial | null>(null)
  return (
    <Page
      title="Test promotions"
      back={back}
      lead="Price a test cart and see which promotions apply. Nothing is saved."
    >
      <Section title="Cart">
        <Form
          guarded={false}
          submit="Calculate"
          onSubmit={async (fields) => {
            const typed = (name: string) => String(fields.get(name) ?? '').trim()
            const [code, customerId] = [typed('code'), typed('customerId')]
            setTrial(
              await call('tryPromotions', {
                body: {
                  store: typed('storeSlug'),
                  lines: parseItems(typed('lines')),
                  currency: typed('currency').toUpperCase(),
                  country: typed('country').toUpperCase(),
                  environment,
                  ...(code && { code }),
                  ...(customerId && { customerId }),
                },
              }),
            )
          }}
        >
          <StoreSelect value="" />
          <TextField
            name="lines"
            label="Items"
            hint="SKU code or ID and quantity, one per line, such as LS-B-M 2."
            pointer="/lines/0/sku"
            rows={3}
            required
          />
          <Field name="code" label="Discount code" hint="Leave empty for none." />
          <Field name="currency" label="Currency" value="EUR" required />
          <Field name="country" label="Country" value="DE" required />
          <Field name="customerId" label="Customer ID" hint="The signed-in customer. Leave empty for a guest." />
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
        The result is shown below.
      </p>
      <Section title="Summary">
        <Table caption="Lines" items={lines} columns={lineColumns} keyOf={(line) => String(lines.indexOf(line))} />
        <DescriptionList
          items={[
            ['Subtotal', <Amount key="i" {...itemsSubtotal} />],
            ['Discounts', <Amount key="d" {...discount} />],
            ['Shipping', shipping ? <Amount key="s" {...shipping} /> : 'Not available'],
            ['Tax', <Amount key="t" {...tax} />],
            ['Total', <Amount key="o" {...total} />],
          ]}
        />
      </Section>
      <Section title="Promotions">
        {promotions.length === 0 && <Empty title="No promotions yet" hint="Create a promotion, and test it here." />}
        <Table caption="Promotions" items={promotions} columns={promotionColumns} keyOf={({ id }) => id} />
      </Section>
    </>
  )
}

/** Parses `LS-B-M 2` as SKU and quantity. Default quantity: 1. */
function parseItems(typed: string): { sku: string; quantity: number }[] {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.map((line) => {
    const [, sku = line, quantity = '1'] = /^(.*?)(?:\s+(\d+))?$/.exec(line) ?? []
    return { sku, quantity: Number(quantity) }
  })
}
