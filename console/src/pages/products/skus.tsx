import type { OperatorProduct, OperatorSku } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { Amount, Count } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Section } from '../../ui/page.tsx'

interface SkusProps {
  readonly product: OperatorProduct
  readonly onChanged: () => void
}

const ENVIRONMENTS = ['live', 'test'] as const
type Editing = { readonly sku: OperatorSku; readonly what: 'prices' | 'shipping' | 'stock' }

/** The SKUs of a product, with prices per currency and stock per environment. */
export function Skus({ product, onChanged }: SkusProps) {
  const [editing, setEditing] = useState<Editing | null>(null)
  const done = () => {
    setEditing(null)
    onChanged()
  }
  const columns: readonly Column<OperatorSku>[] = [
    { title: 'Code', show: ({ code }) => <code>{code}</code> },
    { title: 'Options', show: ({ options }) => Object.values(options).join(', ') || 'Default' },
    { title: 'Price', show: ({ prices }) => <Prices prices={prices} /> },
    { title: 'Shipping', show: ({ requiresShipping }) => (requiresShipping ? 'Required' : 'Not required') },
    ...ENVIRONMENTS.map((environment) => ({
      title: environment === 'live' ? 'Live stock' : 'Test stock',
      numeric: true as const,
      show: ({ stock }: OperatorSku) => <StockLevel level={stock.find((each) => each.environment === environment)} />,
    })),
    {
      title: 'Actions',
      buttons: true,
      show: (sku) => (
        <div class="actions">
          <button type="button" onClick={() => setEditing({ sku, what: 'prices' })}>
            Prices
          </button>
          <button type="button" onClick={() => setEditing({ sku, what: 'shipping' })}>
            Shipping
          </button>
          <button type="button" onClick={() => setEditing({ sku, what: 'stock' })}>
            Stock
          </button>
        </div>
      ),
    },
  ]
  return (
    <Section title="Prices and stock">
      <Table caption="SKUs" items={product.skus} columns={columns} keyOf={({ id }) => id} />
      {editing?.what === 'prices' && (
        <PricesDialog product={product} sku={editing.sku} onClose={() => setEditing(null)} onDone={done} />
      )}
      {editing?.what === 'shipping' && (
        <ShippingDialog product={product} sku={editing.sku} onClose={() => setEditing(null)} onDone={done} />
      )}
      {editing?.what === 'stock' && (
        <StockDialog product={product} sku={editing.sku} onClose={() => setEditing(null)} onDone={done} />
      )}
    </Section>
  )
}

function Prices({ prices }: { readonly prices: OperatorSku['prices'] }) {
  return (
    <>
      {prices.map(({ currency, amount, compareAt }) => (
        <div key={currency}>
          <Amount amount={amount} currency={currency} />{' '}
          {compareAt !== undefined && (
            <del>
              <Amount amount={compareAt} currency={currency} />
            </del>
          )}
        </div>
      ))}
    </>
  )
}

function StockLevel({ level }: { readonly level: OperatorSku['stock'][number] | undefined }) {
  if (!level || level.onHand === null) return <span class="small">Not tracked</span>
  return (
    <>
      <Count value={level.onHand} /> {level.held > 0 && <span class="small">({level.held} reserved)</span>}
    </>
  )
}

interface DialogProps {
  readonly product: OperatorProduct
  readonly sku: OperatorSku
  readonly onClose: () => void
  readonly onDone: () => void
}

function PricesDialog({ product, sku, onClose, onDone }: DialogProps) {
  const currencies = [...new Set([...product.currencies, ...sku.prices.map(({ currency }) => currency)])]
  const priceOf = (currency: string) => sku.prices.find((price) => price.currency === currency)
  return (
    <Dialog title={`Prices: ${sku.code}`} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const typed = (name: string) => String(fields.get(name) ?? '').trim()
          const prices = currencies.flatMap((currency) => {
            const [amount, before] = [typed(`amount.${currency}`), typed(`before.${currency}`)]
            if (amount === '') return []
            return [
              {
                currency,
                amount: parseAmount(amount, currency),
                ...(before !== '' && { compareAt: parseAmount(before, currency) }),
              },
            ]
          })
          await call('updateProduct', {
            params: { productId: product.id },
            body: { skus: [{ id: sku.id, prices }], expectedVersion: product.version },
          })
          onDone()
        }}
      >
        {currencies.map((currency) => {
          const price = priceOf(currency)
          return (
            <fieldset key={currency}>
              <legend>{currency}</legend>
              <Field
                name={`amount.${currency}`}
                label="Price"
                hint="Leave empty if not sold in this currency."
                inputMode="decimal"
                value={price ? formatDecimal(price.amount, currency) : ''}
              />
              <Field
                name={`before.${currency}`}
                label="Compare-at price"
                hint="Shown crossed out if it is higher."
                inputMode="decimal"
                value={price?.compareAt === undefined ? '' : formatDecimal(price.compareAt, currency)}
              />
            </fieldset>
          )
        })}
      </Form>
    </Dialog>
  )
}

function ShippingDialog({ product, sku, onClose, onDone }: DialogProps) {
  return (
    <Dialog title={`Shipping: ${sku.code}`} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const requiresShipping = fields.get('requiresShipping') === 'true'
          await call('updateProduct', {
            params: { productId: product.id },
            body: { skus: [{ id: sku.id, requiresShipping }], expectedVersion: product.version },
          })
          onDone()
        }}
      >
        <Select
          name="requiresShipping"
          label="Shipping"
          hint="Gift cards, downloads and license keys are not shipped."
          value={String(sku.requiresShipping)}
          options={[
            ['true', 'Required'],
            ['false', 'Not required'],
          ]}
        />
      </Form>
    </Dialog>
  )
}

function StockDialog({ product, sku, onClose, onDone }: DialogProps) {
  const [environment, setEnvironment] = useState<'live' | 'test'>('live')
  const level = sku.stock.find((each) => each.environment === environment)
  return (
    <Dialog title={`Stock: ${sku.code}`} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const typed = String(fields.get('onHand')).trim()
          const whenOut = (['deny', 'backorder', 'preorder'] as const).find((each) => each === fields.get('whenOut'))
          await call('setProductStock', {
            params: { productId: product.id },
            body: {
              skuId: sku.id,
              environment,
              onHand: typed === '' ? null : Number(typed),
              whenOutOfStock: whenOut ?? 'deny',
            },
          })
          onDone()
        }}
      >
        <Select
          name="environment"
          label="Environment"
          value={environment}
          onChange={(value) => setEnvironment(value === 'test' ? 'test' : 'live')}
          options={[
            ['live', 'Live'],
            ['test', 'Test'],
          ]}
        />
        <Field
          key={`on-hand-${environment}`}
          name="onHand"
          label="On hand"
          hint={`Leave empty for unlimited stock.${level && level.held > 0 ? ` ${level.held} reserved by customers at checkout.` : ''}`}
          inputMode="numeric"
          value={level?.onHand ?? ''}
        />
        <Select
          key={`when-out-${environment}`}
          name="whenOut"
          label="When out of stock"
          pointer="/whenOutOfStock"
          value={level?.whenOutOfStock ?? 'deny'}
          options={[
            ['deny', 'Stop selling'],
            ['backorder', 'Allow backorders'],
            ['preorder', 'Allow preorders'],
          ]}
        />
      </Form>
    </Dialog>
  )
}
