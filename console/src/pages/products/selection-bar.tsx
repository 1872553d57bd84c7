import type { OperatorProduct } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import { translate, translateCount } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field, Form, Select } from '../../ui/form/form.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { priceChanges, withPrices } from './bulk.ts'
import { CategoryPicker } from './category-picker.tsx'

interface SelectionProps {
  readonly ids: readonly string[]
  readonly onClear: () => void
  readonly onDone: () => void
}

type Editing = 'status' | 'categories' | 'prices'
type Change = (product: OperatorProduct) => Partial<Parameters<typeof updateBody>[0]>

/** Edits all selected products at once. */
export function SelectionBar({ ids, onClear, onDone }: SelectionProps) {
  const [editing, setEditing] = useState<Editing | null>(null)
  if (ids.length === 0) return null
  const done = () => {
    setEditing(null)
    onDone()
  }
  return (
    <section class="selection-bar" aria-label={translate('Selection')}>
      <strong role="status">{translate('{count} selected', { count: ids.length })}</strong>
      <button type="button" onClick={() => setEditing('status')}>
        {translate('Change status')}
      </button>
      <button type="button" onClick={() => setEditing('categories')}>
        {translate('Add categories')}
      </button>
      <button type="button" onClick={() => setEditing('prices')}>
        {translate('Change prices')}
      </button>
      <button type="button" class="quiet" onClick={onClear}>
        {translate('Clear')}
      </button>
      {editing && <BulkDialog ids={ids} editing={editing} onClose={() => setEditing(null)} onDone={done} />}
    </section>
  )
}

const updateBody = (body: {
  status?: OperatorProduct['status']
  categories?: OperatorProduct['categories']
  skus?: ReturnType<typeof withPrices>
}) => body

const TITLES: Readonly<Record<Editing, string>> = {
  status: translate('Change status'),
  categories: translate('Add categories'),
  prices: translate('Change prices'),
}

interface Failure {
  readonly name: string
  readonly error: unknown
  readonly product: OperatorProduct
}

/** The product for another try: after a version conflict as it is now, so that the operator sees what the change applies to. */
async function currentOf({ product, error }: Failure): Promise<OperatorProduct> {
  if (!(error instanceof ApiError) || error.response.code !== 'version_conflict') return product
  return call('getProduct', { params: { productId: product.id } }).catch(() => product)
}

interface BulkProps {
  readonly ids: readonly string[]
  readonly editing: Editing
  readonly onClose: () => void
  readonly onDone: () => void
}

function BulkDialog({ ids, editing, onClose, onDone }: BulkProps) {
  const { data, error } = useCall(ids.join(' '), () =>
    Promise.all(ids.map((productId) => call('getProduct', { params: { productId } }))),
  )
  const [failed, setFailed] = useState<readonly Failure[]>([])
  const [pending, setPending] = useState<readonly OperatorProduct[] | null>(null)
  const products = pending ?? data ?? []

  /** Saves each product separately: one that another operator has changed in the meantime is listed as failed, the others are saved. */
  async function apply(change: Change): Promise<void> {
    const failures: Failure[] = []
    for (const product of products) {
      const body = { ...change(product), expectedVersion: product.version }
      await call('updateProduct', { params: { productId: product.id }, body }).catch((thrown: unknown) => {
        failures.push({ name: localized(product.names), error: thrown, product })
      })
    }
    if (failures.length === 0) return onDone()
    setPending(await Promise.all(failures.map(currentOf)))
    setFailed(failures)
  }
  // After a partial failure, a second change of the same selection would apply twice to the products that are saved.
  const close = failed.length > 0 ? onDone : onClose
  const title = `${TITLES[editing]} · ${translateCount(ids.length, { one: '{count} product', other: '{count} products' })}`
  return (
    <Dialog title={title} onClose={close}>
      {error ? <ErrorNotice error={error} /> : null}
      {failed.length > 0 && (
        <Notice kind="bad">
          <p>{translate('The others are saved. These are not:')}</p>
        </Notice>
      )}
      {failed.map((each) => (
        <div key={each.name}>
          <strong>{each.name}</strong>
          <ErrorNotice error={each.error} />
        </div>
      ))}
      {!data && !error && <p class="small">{translate('Loading…')}</p>}
      {data && editing === 'status' && <StatusForm onApply={apply} onClose={close} />}
      {data && editing === 'categories' && <CategoriesForm products={products} onApply={apply} onClose={close} />}
      {data && editing === 'prices' && <PricesForm products={products} onApply={apply} onClose={close} />}
    </Dialog>
  )
}

interface FormProps {
  readonly onApply: (change: Change) => Promise<void>
  readonly onClose: () => void
}

function StatusForm({ onApply, onClose }: FormProps) {
  return (
    <Form
      submit={translate('Apply')}
      cancel={onClose}
      onSubmit={(fields) => onApply(() => ({ status: fields.get('status') as OperatorProduct['status'] }))}
    >
      <Select
        name="status"
        label={translate('Status')}
        options={[
          ['published', translate('Published')],
          ['draft', translate('Draft')],
          ['archived', translate('Archived')],
        ]}
      />
    </Form>
  )
}

type ProductsFormProps = FormProps & { readonly products: readonly OperatorProduct[] }

function CategoriesForm({ products, onApply, onClose }: ProductsFormProps) {
  const [paths, setPaths] = useState<string[][]>([])
  const isNew = (path: readonly string[], product: OperatorProduct) =>
    !product.categories.some((own) => own.join('/') === path.join('/'))
  return (
    <Form
      submit={translate('Apply')}
      cancel={onClose}
      onSubmit={() =>
        onApply((product) => ({
          categories: [...product.categories, ...paths.filter((path) => isNew(path, product))],
        }))
      }
    >
      <CategoryPicker stores={[...new Set(products.map(({ store }) => store))]} paths={paths} onChange={setPaths} />
    </Form>
  )
}

const PREVIEWED = 50

function PricesForm({ products, onApply, onClose }: ProductsFormProps) {
  const [typed, setTyped] = useState('')
  const percent = /^[+-]?\d{1,3}([.,]\d{1,2})?$/.test(typed.trim()) ? Number(typed.replace(',', '.')) : Number.NaN
  const isUsable = percent >= -100 && percent !== 0
  const changes = isUsable ? products.flatMap(({ skus }) => priceChanges(skus, percent)) : []
  return (
    <div
      onInput={(event) => {
        const { name, value } = event.target as HTMLInputElement
        if (name === 'percent') setTyped(value)
      }}
    >
      <Form
        submit={
          isUsable
            ? translateCount(changes.length, { one: 'Change {count} price', other: 'Change {count} prices' })
            : translate('Change prices')
        }
        cancel={onClose}
        onSubmit={async (fields) => {
          if (!isUsable) throw new Error(translate('Enter a percentage such as -10 or 5.'))
          await onApply(({ skus }) => ({ skus: withPrices(skus, percent, fields.has('keepFormer')) }))
        }}
      >
        <Field
          name="percent"
          label={translate('Change in percent')}
          hint={translate('Such as -10 or 5.')}
          inputMode="text"
        />
        <Check name="keepFormer" label={translate('Show the former price crossed out')} checked />
        {changes.length > 0 && (
          <ul class="plain price-preview" aria-label={translate('Preview')}>
            {changes.slice(0, PREVIEWED).map(({ code, before, after }, index) => (
              <li key={index}>
                <code>{code}</code>
                <span>
                  <del>{before}</del> <strong>{after}</strong>
                </span>
              </li>
            ))}
            {changes.length > PREVIEWED && (
              <li class="small">{translate('and {count} more', { count: changes.length - PREVIEWED })}</li>
            )}
          </ul>
        )}
      </Form>
    </div>
  )
}
