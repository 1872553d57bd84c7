import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { storeName } from '../../stores.ts'
import { useCall } from '../hooks/use-call.ts'
import { Select } from './form.tsx'

interface StoreSelectProps {
  readonly value: string
  readonly onChange?: (slug: string) => void
  /** Label of the option for no store; absent: a store must be selected. */
  readonly none?: string
  readonly label?: string
  readonly hint?: string
}

/** Selects a store by its name. The field is called `storeSlug`. */
export function StoreSelect({ value, onChange, none, label = translate('Store'), hint }: StoreSelectProps) {
  const { data } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const loaded = data?.items.map(({ slug, name }) => [slug, name] as const) ?? []
  // The chosen store stays chosen until the list is loaded, and without it.
  const isKnown = value === '' || loaded.some(([slug]) => slug === value)
  const stores = isKnown ? loaded : [[value, storeName(value)] as const, ...loaded]
  const options = none === undefined ? stores : [['', none] as const, ...stores]
  const optional = { ...(hint && { hint }), ...(onChange && { onChange }) }
  return <Select name="storeSlug" label={label} value={value} options={options} {...optional} />
}
