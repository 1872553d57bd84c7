import { call } from '../../api.ts'
import { useCall } from '../hooks/use-call.ts'
import { Select } from './form.tsx'

interface StoreChoiceProps {
  readonly value: string
  readonly onChange?: (slug: string) => void
  /** Label of the option for no store; absent: a store must be selected. */
  readonly none?: string
  readonly label?: string
}

/** Selects a store by its name. The field is called `storeSlug`. */
export function StoreChoice({ value, onChange, none, label = 'Store' }: StoreChoiceProps) {
  const { answer } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const stores = answer?.items.map(({ slug, name }) => [slug, name] as const) ?? []
  const options = none === undefined ? stores : [['', none] as const, ...stores]
  return <Select name="storeSlug" label={label} value={value} options={options} {...(onChange && { onChange })} />
}
