import type { OperatorCategory, OperatorCustomerSummary, OperatorProduct } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, call } from '../api.ts'
import { translate } from '../language.ts'
import { storeName } from '../stores.ts'
import { localized } from './form/localized-text.tsx'
import { useCall } from './hooks/use-call.ts'
import { ErrorNotice } from './notice.tsx'
import { type Choice, Picker } from './picker.tsx'

interface RecordPickerProps {
  readonly label: string
  readonly hint?: string
  /** What it means that nothing is picked. */
  readonly none?: string | undefined
  readonly ids: readonly string[]
  /** The name of a form field that has the ids, one per line. */
  readonly name?: string
  /** For a caller that keeps the ids. Absent: the picker keeps them, for a form. */
  readonly onChange?: (ids: readonly string[], picked: readonly Choice[]) => void
  /** Picking another one replaces the first. */
  readonly isSingle?: boolean
}

interface Records {
  /** The records with these ids. A deleted one is shown by its id. */
  readonly byIds: (ids: readonly string[]) => Promise<readonly Choice[]>
  /** The record with this id, if nothing has to be loaded. */
  readonly known?: (id: string) => Choice
  readonly find: (typed: string) => Promise<readonly Choice[]>
}

const SHOWN = 20
/** The SKUs of each product are loaded with one request. */
const PRODUCTS_OF_SKUS = 5

/** Picks products by name, number or SKU code. */
export const ProductPicker = pickerOf({
  byIds: (ids) => each(ids, async (productId) => productChoice(await call('getProduct', { params: { productId } }))),
  async find(q) {
    const { items } = await call('listProducts', { query: { q, limit: SHOWN } })
    return items.map(({ id, name, store }) => ({ id, name, hint: storeName(store) }))
  },
})

/** Picks categories by a part of their name or path. */
export const CategoryPicker = pickerOf({
  byIds: (ids) =>
    each(ids, async (q) => {
      const { items } = await call('listCategories', { query: { q, limit: 1 } })
      return items[0] ? categoryChoice(items[0]) : { id: q, name: q }
    }),
  async find(q) {
    const { items } = await call('listCategories', { query: { ...(q && { q }), limit: SHOWN } })
    return items.map(categoryChoice)
  },
})

/** Picks customers by a part of their name, or by their whole email address. */
export const CustomerPicker = pickerOf({
  byIds: (ids) =>
    each(ids, async (q) => {
      const { items } = await call('listCustomers', { query: { q, limit: 1 } })
      return items[0] ? customerChoice(items[0]) : { id: q, name: q }
    }),
  async find(q) {
    const { items } = await call('listCustomers', { query: { ...(q && { q }), limit: SHOWN } })
    return items.map(customerChoice)
  },
})

/** Picks variants by the name of their product or by their code. */
export const SkuPicker = pickerOf({
  byIds: (ids) =>
    each(ids, async (sku) => {
      const { items } = await call('listProducts', { query: { sku, limit: 1 } })
      const choices = (await skusOf(items)).filter(({ id }) => id === sku)
      return choices[0] ?? { id: sku, name: sku }
    }),
  async find(q) {
    const { items } = await call('listProducts', { query: { q, limit: PRODUCTS_OF_SKUS } })
    return (await skusOf(items)).slice(0, SHOWN)
  },
})

async function skusOf(products: readonly { readonly id: string }[]): Promise<Choice[]> {
  const loaded = await Promise.all(products.map(({ id }) => call('getProduct', { params: { productId: id } })))
  return loaded.flatMap((product) =>
    product.skus.map(({ id, code }) => ({ id, name: code, hint: localized(product.names) })),
  )
}

const customerChoice = ({ id, name, emailMasked }: OperatorCustomerSummary): Choice => {
  return name ? { id, name, hint: emailMasked } : { id, name: emailMasked }
}

const productChoice = ({ id, names, store }: OperatorProduct): Choice => ({
  id,
  name: localized(names),
  hint: storeName(store),
})

function categoryChoice({ id, names, path, store }: OperatorCategory): Choice {
  return {
    id,
    name: localized(names),
    hint: [store ? storeName(store) : translate('Marketplace'), ...path.slice(0, -1)].join(' › '),
  }
}

/** The records that still exist. */
export async function each(ids: readonly string[], load: (id: string) => Promise<Choice>): Promise<Choice[]> {
  const isGone = (error: unknown) => error instanceof ApiError && error.response.code === 'not_found'
  const loaded = await Promise.all(
    ids.map((id) => load(id).catch((error: unknown) => (isGone(error) ? null : Promise.reject(error)))),
  )
  return loaded.filter((choice) => choice !== null)
}

/** A picker of one kind of records. */
export function pickerOf({ byIds, known = (id) => ({ id, name: id }), find }: Records) {
  return function RecordPicker({ ids, name, onChange, isSingle, label, hint, none }: RecordPickerProps) {
    const [kept, setKept] = useState(ids)
    const [names, setNames] = useState<ReadonlyMap<string, Choice>>(new Map())
    const shown = onChange ? ids : kept
    const know = (choices: readonly Choice[]) =>
      setNames((known) => new Map([...known, ...choices.map((choice) => [choice.id, choice] as const)]))
    const unknown = shown.filter((id) => !names.has(id))
    const { data, error, reload } = useCall(shown.join(' '), async () => (unknown.length > 0 ? byIds(unknown) : []))
    useEffect(() => know(data ?? []), [data])
    return (
      <>
        <Picker
          label={label}
          {...(hint && { hint })}
          {...(name && { name })}
          none={none}
          chosen={shown.map((id) => names.get(id) ?? known(id))}
          find={find}
          onChange={(chosen) => {
            know(chosen)
            const picked = isSingle ? chosen.slice(-1) : chosen
            const pickedIds = picked.map(({ id }) => id)
            if (onChange) onChange(pickedIds, picked)
            else setKept(pickedIds)
          }}
        />
        {error ? <ErrorNotice error={error} retry={reload} /> : null}
      </>
    )
  }
}
