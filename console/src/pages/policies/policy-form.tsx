import type { OperatorOrderPolicy } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Check, Field, Form, TextField } from '../../ui/form/form.tsx'
import { splitList } from '../../ui/format/text.ts'
import { Section } from '../../ui/page.tsx'
import { CategoryPicker, ProductPicker, SkuPicker } from '../../ui/record-picker.tsx'

const KINDS = [
  ['refund_only', translate('Refund without return')],
  ['return', translate('Return')],
  ['exchange', translate('Exchange')],
  ['repair', translate('Repair')],
] as const

interface PolicyFormProps {
  readonly policy: OperatorOrderPolicy
  readonly onSave: (policy: OperatorOrderPolicy) => Promise<void>
}

/** The cancellation and return policy of a store. */
export function PolicyForm({ policy: { cancellation, afterSales, finalSale }, onSave }: PolicyFormProps) {
  return (
    <Form submit={translate('Save')} by="saveOrderPolicy" onSubmit={(fields) => onSave(readPolicy(fields))}>
      <div class="with-side">
        <Returns afterSales={afterSales} />
        <div class="stacked">
          <Cancellations cancellation={cancellation} />
          <FinalSale finalSale={finalSale} />
        </div>
      </div>
    </Form>
  )
}

function Cancellations({ cancellation }: Pick<OperatorOrderPolicy, 'cancellation'>) {
  return (
    <Section title={translate('Cancellations')}>
      <Field
        name="cancellation.windowMinutes"
        label={translate('Cancellation window (minutes)')}
        hint={translate('Leave empty to allow cancellation until the order ships.')}
        type="number"
        min={1}
        value={cancellation.windowMinutes ?? ''}
        pointer="/policy/cancellation/windowMinutes"
      />
      <Check
        name="cancellation.automatic"
        label={translate('Approve automatically until processing starts')}
        checked={cancellation.automatic}
      />
      <Check name="cancellation.restocks" label={translate('Restock canceled items')} checked={cancellation.restocks} />
      <Check
        name="cancellation.refundsShipping"
        label={translate('Refund shipping when the last item is canceled')}
        checked={cancellation.refundsShipping}
      />
    </Section>
  )
}

function Returns({ afterSales }: Pick<OperatorOrderPolicy, 'afterSales'>) {
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
    <Section title={translate('Returns')}>
      <div class="halves">
        {KINDS.map(([kind, title]) => (
          <fieldset key={kind}>
            <legend>{title}</legend>
            <Check
              name={`kinds.${kind}.offered`}
              label={translate('Available')}
              checked={afterSales.kinds[kind].offered}
            />
            <Check
              name={`kinds.${kind}.automatic`}
              label={translate('Approve automatically when the policy allows it')}
              checked={afterSales.kinds[kind].automatic}
            />
            <Field
              name={`kinds.${kind}.windowDays`}
              label={translate('Request window (days after delivery)')}
              type="number"
              min={0}
              value={afterSales.kinds[kind].windowDays}
              pointer={`/policy/afterSales/kinds/${kind}/windowDays`}
            />
          </fieldset>
        ))}
      </div>
      {days(
        'afterSales.decideWithinDays',
        translate('Days to decide'),
        afterSales.decideWithinDays,
        translate('Shown to the customer.'),
      )}
      {days('afterSales.returnWithinDays', translate('Days to send items back'), afterSales.returnWithinDays)}
      {days(
        'afterSales.deliveredAfterDays',
        translate('Days until a shipment counts as delivered'),
        afterSales.deliveredAfterDays,
        translate('If no delivery is reported.'),
      )}
      <TextField
        name="afterSales.instructions"
        label={translate('Return instructions')}
        value={afterSales.instructions ?? ''}
        pointer="/policy/afterSales/instructions"
      />
      <TextField
        name="afterSales.returnAddress"
        label={translate('Return address')}
        hint={translate(
          'Where customers send items back to, line by line as on a label. Shown when a return is approved, and on packing slips.',
        )}
        value={afterSales.returnAddress ?? ''}
        pointer="/policy/afterSales/returnAddress"
      />
      <Check
        name="afterSales.restocks"
        label={translate('Restock returned items by default')}
        checked={afterSales.restocks}
      />
      <Check
        name="afterSales.refundsShipping"
        label={translate('Refund shipping when the last item is returned')}
        checked={afterSales.refundsShipping}
      />
    </Section>
  )
}

function FinalSale({ finalSale }: Pick<OperatorOrderPolicy, 'finalSale'>) {
  return (
    <Section title={translate('Final sale')}>
      <p>{translate('Items that cannot be returned or refunded, except by an operator.')}</p>
      <SkuPicker name="finalSale.skuIds" label={translate('Variants')} ids={finalSale.skuIds} />
      <ProductPicker name="finalSale.productIds" label={translate('Products')} ids={finalSale.productIds} />
      <CategoryPicker
        name="finalSale.categoryIds"
        label={translate('Categories')}
        hint={translate('Includes subcategories.')}
        ids={finalSale.categoryIds}
      />
    </Section>
  )
}

/** Reads the form. Invalid numbers are left to the server to reject. */
function readPolicy(fields: FormData): OperatorOrderPolicy {
  const number = (name: string) => Number(fields.get(name) || Number.NaN)
  const ids = (name: string) => [...new Set(splitList(fields.get(name)))]
  const kind = (name: string) => ({
    offered: fields.has(`kinds.${name}.offered`),
    windowDays: number(`kinds.${name}.windowDays`),
    automatic: fields.has(`kinds.${name}.automatic`),
  })
  return {
    cancellation: {
      windowMinutes: fields.get('cancellation.windowMinutes') ? number('cancellation.windowMinutes') : null,
      automatic: fields.has('cancellation.automatic'),
      restocks: fields.has('cancellation.restocks'),
      refundsShipping: fields.has('cancellation.refundsShipping'),
    },
    afterSales: {
      kinds: {
        refund_only: kind('refund_only'),
        return: kind('return'),
        exchange: kind('exchange'),
        repair: kind('repair'),
      },
      deliveredAfterDays: number('afterSales.deliveredAfterDays'),
      returnWithinDays: number('afterSales.returnWithinDays'),
      decideWithinDays: number('afterSales.decideWithinDays'),
      instructions: String(fields.get('afterSales.instructions') ?? '').trim() || null,
      returnAddress: String(fields.get('afterSales.returnAddress') ?? '').trim() || null,
      restocks: fields.has('afterSales.restocks'),
      refundsShipping: fields.has('afterSales.refundsShipping'),
    },
    finalSale: {
      skuIds: ids('finalSale.skuIds'),
      productIds: ids('finalSale.productIds'),
      categoryIds: ids('finalSale.categoryIds'),
    },
  }
}
