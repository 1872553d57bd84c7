import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useOwnStore } from '../../page.ts'
import { storeCount, storeName } from '../../stores.ts'
import { useCall } from '../hooks/use-call.ts'
import { pickerOf } from '../record-picker.tsx'
import { Select } from './form.tsx'

/** More stores than this are searched. */
const SELECT_MAX = 100
const FOUND_MAX = 20

const StorePicker = pickerOf({
  known: (slug) => ({ id: slug, name: storeName(slug) }),
  byIds: async () => [],
  async find(q) {
    const { items } = await call('listStores', { query: { q, limit: FOUND_MAX } })
    return items.map(({ slug, name }) => ({ id: slug, name, hint: slug }))
  },
})

interface StoreSelectProps {
  readonly value: string
  readonly onChange?: (slug: string) => void
  /** Label of the option for no store; absent: a store must be selected. */
  readonly none?: string
  readonly label?: string
  readonly hint?: string
  readonly name?: string
}

/** Selects a store by its name, or searches it where there are many. An operator of one store has no choice. */
export function StoreSelect(props: StoreSelectProps) {
  const { value, onChange, none, label = translate('Store'), hint, name = 'storeSlug' } = props
  const { data } = useCall('stores', () => call('listStores', { query: { limit: SELECT_MAX } }))
  const own = useOwnStore()
  if (own !== undefined) return <input type="hidden" name={name} value={own} />
  const field = { name, label, ...(hint && { hint }) }
  // Known before they are loaded again, so that no select takes what is typed into the search.
  if (data ? data.nextCursor : storeCount() > SELECT_MAX) {
    const change = ([slug = '']: readonly string[]) => (slug !== '' || none !== undefined) && onChange?.(slug)
    return (
      <StorePicker {...field} none={none} ids={value ? [value] : []} isSingle {...(onChange && { onChange: change })} />
    )
  }
  const loaded = data?.items.map((store) => [store.slug, store.name] as const) ?? []
  // The chosen store stays chosen until the list is loaded, and without it.
  const isKnown = value === '' || loaded.some(([slug]) => slug === value)
  const stores = isKnown ? loaded : [[value, storeName(value)] as const, ...loaded]
  const options = none === undefined ? stores : [['', none] as const, ...stores]
  return <Select {...field} value={value} options={options} {...(onChange && { onChange })} />
}
