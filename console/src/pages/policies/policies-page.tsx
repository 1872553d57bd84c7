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

/** Cancellation and return policies of each store. */
export function PoliciesPage() {
  const [store, setStore] = useParameter('store')
  const { answer, error, reload } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const slug = store || answer?.items[0]?.slug
  return (
    <Page
      title="Policies"
      lead="Cancellation and return rules of each store. Saving creates a new version. Existing requests keep the version they were made under."
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
        <Empty title="No stores yet" hint="Policies apply to the products of a store.">
          <Link to="/stores" class="button">
            Create a store
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
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  return (
    <>
      {saved && (
        <Notice kind="good">
          <p>Saved as version {answer.version}.</p>
        </Notice>
      )}
      {answer.version === 0 && (
        <Notice>
          <p>This store has no policy of its own yet. These are the defaults.</p>
        </Notice>
      )}
      <PolicyForm
        key={answer.version}
        current={answer}
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
  ['refund_only', 'Refund without return'],
  ['return', 'Return'],
  ['exchange', 'Exchange'],
  ['repair', 'Repair'],
] as const

interface PolicyFormProps {
  readonly current: Versioned
  readonly onSave: (policy: OperatorOrderPolicy) => Promise<void>
}

function PolicyForm({ current: { policy }, onSave }: PolicyFormProps) {
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
          label="Cancellation window (minutes)"
          hint="Leave empty to allow cancellation until the order ships."
          type="number"
          min={1}
          value={cancellation.windowMinutes ?? ''}
          pointer="/policy/cancellation/windowMinutes"
        />
        <Check
          name="cancellation.automatic"
          label="Approve automatically until processing starts"
          checked={cancellation.automatic}
        />
        <Check name="cancellation.restocks" label="Restock canceled items" checked={cancellation.restocks} />
        <Check
          name="cancellation.refundsShipping"
          label="Refund shipping when the last item is canceled"
          checked={cancellation.refundsShipping}
        />
      </Section>
      <Section title="Returns">
        {KINDS.map(([kind, title]) => (
          <fieldset key={kind}>
            <legend>{title}</legend>
            <Check name={`kinds.${kind}.offered`} label="Available" checked={afterSales.kinds[kind].offered} />
            <Check
              name={`kinds.${kind}.automatic`}
              label="Approve automatically when the policy allows it"
              checked={afterSales.kinds[kind].automatic}
            />
            <Field
              name={`kinds.${kind}.windowDays`}
              label="Days after delivery"
              type="number"
              min={0}
              value={afterSales.kinds[kind].windowDays}
              pointer={`/policy/afterSales/kinds/${kind}/windowDays`}
            />
          </fieldset>
        ))}
        {days('afterSales.decideWithinDays', 'Days to decide', afterSales.decideWithinDays, 'Shown to the customer.')}
        {days('afterSales.returnWithinDays', 'Days to send items back', afterSales.returnWithinDays)}
        {days(
          'afterSales.deliveredAfterDays',
          'Days until a shipment counts as delivered',
          afterSales.deliveredAfterDays,
          'If no delivery is reported.',
        )}
        <TextField
          name="afterSales.instructions"
          label="Return instructions"
          value={afterSales.instructions ?? ''}
          pointer="/policy/afterSales/instructions"
        />
        <Check name="afterSales.restocks" label="Restock returned items by default" checked={afterSales.restocks} />
        <Check
          name="afterSales.refundsShipping"
          label="Refund shipping when the last item is returned"
          checked={afterSales.refundsShipping}
        />
      </Section>
      <Section title="Final sale">
        <p>Items that cannot be returned or refunded, except by an operator. One ID per line.</p>
        <TextField name="finalSale.skuIds" label="SKUs" value={finalSale.skuIds.join('\n')} rows={3} />
        <TextField name="finalSale.productIds" label="Products" value={finalSale.productIds.join('\n')} rows={3} />
        <TextField
          name="finalSale.categoryIds"
          label="Categories"
          hint="Includes subcategories."
          value={finalSale.categoryIds.join('\n')}
          rows={3}
        />
      </Section>
    </Form>
  )
}
