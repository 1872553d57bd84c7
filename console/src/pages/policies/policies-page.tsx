import type { OutputOf } from '@vitrine/contract'
import type { OperatorOrderPolicy, operatorOperations } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Check, Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { policyIn } from './policy-form.tsx'

type Versioned = OutputOf<(typeof operatorOperations)['getOrderPolicy']>

/** What each store promises after the sale. */
export function PoliciesPage() {
  const [store, setStore] = useParameter('store')
  const { answer, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const slug = store || answer?.items[0]?.slug
  return (
    <Page
      title="Promises"
      lead="What a store promises after the sale. Saved as a new version: what was answered or asked for before goes on by the version of then."
      actions={
        answer &&
        answer.items.length > 1 && (
          <Select
            name="store"
            label="Store"
            value={slug}
            onChange={setStore}
            options={answer.items.map((each) => [each.slug, each.name])}
          />
        )
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {answer?.items.length === 0 && (
        <Empty title="There is no store yet" hint="A store makes the promises that hold for its goods.">
          <Link to="/stores" class="button">
            Open a store
          </Link>
        </Empty>
      )}
      {slug && <PolicyOfStore key={slug} slug={slug} />}
    </Page>
  )
}

function PolicyOfStore({ slug }: { readonly slug: string }) {
  const params = { storeSlug: slug }
  const { answer, error, reload } = useCall(slug, () => call('getOrderPolicy', { params }))
  const [saved, setSaved] = useState(false)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  return (
    <>
      {saved && (
        <Notice kind="good">
          <p>Saved as version {answer.version}.</p>
        </Notice>
      )}
      {answer.version === 0 && (
        <Notice>
          <p>This store has said nothing yet, so these are our defaults.</p>
        </Notice>
      )}
      <PolicyForm
        key={answer.version}
        held={answer}
        onSave={async (policy) => {
          await call('saveOrderPolicy', { params, body: { policy, expectedVersion: answer.version } })
          setSaved(true)
          reload()
        }}
      />
    </>
  )
}

const KINDS = [
  ['refund_only', 'Refund without goods'],
  ['return', 'Return'],
  ['exchange', 'Exchange'],
  ['repair', 'Repair'],
] as const

interface PolicyFormProps {
  readonly held: Versioned
  readonly onSave: (policy: OperatorOrderPolicy) => Promise<void>
}

function PolicyForm({ held: { policy }, onSave }: PolicyFormProps) {
  const { cancellation, afterSales, finalSale } = policy
  const days = (name: string, label: string, value: number, hint?: string) => (
    <Field
      name={name}
      label={label}
      type="number"
      min={0}
      value={value}
      hint={hint}
      pointer={`/policy/${name.replaceAll('.', '/')}`}
    />
  )
  return (
    <Form submit="Save" onSubmit={(fields) => onSave(policyIn(fields))}>
      <Section title="Cancellations">
        <Field
          name="cancellation.windowMinutes"
          label="Minutes after the order"
          hint="Empty: as long as nothing has shipped."
          type="number"
          min={1}
          value={cancellation.windowMinutes ?? ''}
          pointer="/policy/cancellation/windowMinutes"
        />
        <Check
          name="cancellation.automatic"
          label="Done at once before anybody prepares the goods"
          checked={cancellation.automatic}
        />
        <Check name="cancellation.restocks" label="Goods go back on the shelf" checked={cancellation.restocks} />
        <Check
          name="cancellation.refundsShipping"
          label="Shipping goes back with the last unit"
          checked={cancellation.refundsShipping}
        />
      </Section>
      <Section title="After the sale">
        {KINDS.map(([kind, title]) => (
          <fieldset key={kind}>
            <legend>{title}</legend>
            <Check name={`kinds.${kind}.offered`} label="Offered" checked={afterSales.kinds[kind].offered} />
            <Check
              name={`kinds.${kind}.automatic`}
              label="Approved at once within the rules"
              checked={afterSales.kinds[kind].automatic}
            />
            <Field
              name={`kinds.${kind}.windowDays`}
              label="Days after the delivery"
              type="number"
              min={0}
              value={afterSales.kinds[kind].windowDays}
              pointer={`/policy/afterSales/kinds/${kind}/windowDays`}
            />
          </fieldset>
        ))}
        {days('afterSales.decideWithinDays', 'Days to decide', afterSales.decideWithinDays, 'The shopper is told.')}
        {days('afterSales.returnWithinDays', 'Days for the way back', afterSales.returnWithinDays)}
        {days(
          'afterSales.deliveredAfterDays',
          'Days until a parcel counts as delivered',
          afterSales.deliveredAfterDays,
          'Where nobody has reported it.',
        )}
        <TextField
          name="afterSales.instructions"
          label="What the shopper does with the goods"
          value={afterSales.instructions ?? ''}
          pointer="/policy/afterSales/instructions"
        />
        <Check
          name="afterSales.restocks"
          label="Goods that come back are expected on the shelf again"
          checked={afterSales.restocks}
        />
        <Check
          name="afterSales.refundsShipping"
          label="Shipping goes back with the last unit"
          checked={afterSales.refundsShipping}
        />
      </Section>
      <Section title="Sold for good">
        <p>What is neither returned nor refunded but by your own decision. One id a line.</p>
        <TextField name="finalSale.skuIds" label="SKUs" value={finalSale.skuIds.join('\n')} rows={3} />
        <TextField name="finalSale.productIds" label="Products" value={finalSale.productIds.join('\n')} rows={3} />
        <TextField
          name="finalSale.categoryIds"
          label="Categories"
          hint="With those below."
          value={finalSale.categoryIds.join('\n')}
          rows={3}
        />
      </Section>
    </Form>
  )
}
