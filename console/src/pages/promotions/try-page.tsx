import type { PromotionTrial } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Amount } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'

type Explained = PromotionTrial['promotions'][number]

const back = { to: '/promotions', title: 'Promotions' }

const REASONS: Readonly<Record<Explained['reason'], string>> = {
  applied: 'It applies.',
  paused: 'It is paused.',
  code_not_given: 'Its code was not given.',
  invalid: 'It is not offered in this currency.',
  not_started: 'It has not begun yet.',
  expired: 'It is over.',
  customer_required: 'Nobody has signed in.',
  customer_ineligible: 'This customer is not listed.',
  usage_limit_reached: 'It has been used as often as it may.',
  minimum_not_met: 'The cart does not hold enough of what it is about.',
  combination_disallowed: 'It may not stand beside the one that applies.',
  nothing_to_take_off: 'There is nothing for it to take off.',
}

const promotionColumns: readonly Column<Explained>[] = [
  { title: 'Promotion', show: ({ id, title }) => <Link to={`/promotions/${id}`}>{title}</Link> },
  { title: 'Code', show: ({ code }) => (code === null ? 'by itself' : <code class="amount">{code}</code>) },
  {
    title: 'Why',
    show: ({ reason, missing }) => (
      <>
        {REASONS[reason]}{' '}
        {missing && (
          <>
            <Amount {...missing} /> is missing.
          </>
        )}
      </>
    ),
  },
  { title: 'Takes off', figure: true, show: ({ amount }) => (amount ? <Amount {...amount} /> : '–') },
]

const lineColumns: readonly Column<PromotionTrial['lines'][number]>[] = [
  { title: 'What', show: ({ name }) => name },
  { title: 'Units', figure: true, show: ({ quantity }) => quantity },
  { title: 'Price', figure: true, show: ({ subtotal }) => <Amount {...subtotal} /> },
  { title: 'Taken off', figure: true, show: ({ discount }) => <Amount {...discount} /> },
  { title: 'Costs', figure: true, show: ({ total }) => <Amount {...total} /> },
]

/** A cart that nobody sees, to find out what applies to it and why. */
export function TryPage() {
  const [trial, setTrial] = useState<PromotionTrial | null>(null)
  return (
    <Page
      title="Try promotions"
      back={back}
      lead="A cart that nobody sees, priced as every cart is. Nothing is written."
    >
      <Section title="The cart">
        <Form
          submit="Price it"
          onSubmit={async (fields) => {
            const typed = (name: string) => String(fields.get(name) ?? '').trim()
            const [code, customerId] = [typed('code'), typed('customerId')]
            setTrial(
              await call('tryPromotions', {
                body: {
                  store: typed('storeSlug'),
                  lines: linesIn(typed('lines')),
                  currency: typed('currency').toUpperCase(),
                  country: typed('country').toUpperCase(),
                  environment: fields.get('environment') === 'test' ? 'test' : 'live',
                  ...(code && { code }),
                  ...(customerId && { customerId }),
                },
              }),
            )
          }}
        >
          <StoreChoice value="" />
          <TextField
            name="lines"
            label="Lines"
            hint="The code or id of a SKU and how many units, one a line, such as LS-B-M 2."
            pointer="/lines/0/sku"
            rows={3}
            required
          />
          <Field name="code" label="Code" hint="What the shopper types. Empty: nothing." />
          <Field name="currency" label="Currency" value="EUR" required />
          <Field name="country" label="Country" value="DE" required />
          <Field name="customerId" label="Customer" hint="The id of who has signed in. Empty: nobody." />
          <Select
            name="environment"
            label="Uses are counted"
            value="live"
            options={[
              ['live', 'live'],
              ['test', 'in test'],
            ]}
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
        The cart is priced below.
      </p>
      <Section title="What it costs">
        <Table caption="Lines" items={lines} columns={lineColumns} keyOf={(line) => String(lines.indexOf(line))} />
        <Facts
          facts={[
            ['Items', <Amount key="i" {...itemsSubtotal} />],
            ['Taken off', <Amount key="d" {...discount} />],
            ['Shipping', shipping ? <Amount key="s" {...shipping} /> : 'nobody ships there'],
            ['Tax', <Amount key="t" {...tax} />],
            ['Total', <Amount key="o" {...total} />],
          ]}
        />
      </Section>
      <Section title="Why each applies or not">
        {promotions.length === 0 && <Empty title="There is no promotion" hint="Make one, and try it here." />}
        <Table caption="Promotions" items={promotions} columns={promotionColumns} keyOf={({ id }) => id} />
      </Section>
    </>
  )
}

/** `LS-B-M 2`: what, and how many; one where nothing is said. */
function linesIn(typed: string): { sku: string; quantity: number }[] {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.map((line) => {
    const [, sku = line, quantity = '1'] = /^(.*?)(?:\s+(\d+))?$/.exec(line) ?? []
    return { sku, quantity: Number(quantity) }
  })
}
