import type { OperatorCategory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { localized } from '../../ui/form/localized-text.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Choice, Picker } from '../../ui/picker.tsx'

const SHOWN = 20

/** The products that a promotion is limited to, by name. The field is called `productIds`. */
export function PickedProducts({ ids }: { readonly ids: readonly string[] }) {
  const known = useCall(ids.join(' '), () =>
    Promise.all(ids.map((productId) => call('getProduct', { params: { productId } }))),
  )
  const [chosen, setChosen] = useState<readonly Choice[] | null>(null)
  const names = new Map(known.data?.map(({ id, names }) => [id, localized(names)]))
  return (
    <Picker
      label={translate('Products')}
      hint={translate('Leave products and categories empty for all products.')}
      name="productIds"
      chosen={chosen ?? ids.map((id) => ({ id, name: names.get(id) ?? id }))}
      find={async (q) => {
        const { items } = await call('listProducts', { query: { q, limit: SHOWN } })
        return items.map(({ id, name, store }) => ({ id, name, hint: store }))
      }}
      onChange={setChosen}
    />
  )
}

/** The categories that a promotion is limited to. The field is called `categoryIds`. */
export function PickedCategories({ ids }: { readonly ids: readonly string[] }) {
  const { data } = useCall('categories', () => call('listCategories'))
  const [chosen, setChosen] = useState<readonly Choice[] | null>(null)
  const choices = (data?.items ?? []).map(choiceOf)
  const named = (id: string) => choices.find((choice) => choice.id === id) ?? { id, name: id }
  return (
    <Picker
      label={translate('Categories')}
      name="categoryIds"
      chosen={chosen ?? ids.map(named)}
      find={async (typed) => {
        const isFound = ({ name, hint = '' }: Choice) => `${name} ${hint}`.toLowerCase().includes(typed.toLowerCase())
        return choices.filter(isFound).slice(0, SHOWN)
      }}
      onChange={setChosen}
    />
  )
}

function choiceOf({ id, names, path, store }: OperatorCategory): Choice {
  return { id, name: localized(names), hint: [store ?? translate('Marketplace'), ...path.slice(0, -1)].join(' › ') }
}
