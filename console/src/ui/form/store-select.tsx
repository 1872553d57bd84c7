import { call } from '../../api.ts'
import { useCall } from '../hooks/use-call.ts'
import { Select } from './form.tsx'

interface StoreChoiceProps {
  readonly value: string
  readonly onChange?: (slug: string) => void
  /** What no store at all is called; absent: a store must be chosen. */
  readonly none?: string
  readonly label?: string
}

/** Chooses a store by its name. The field is called `storeSlug`. */
export function StoreChoice({ value, onChange, none, label = 'Store' }: StoreChoiceProps) {
  const { answer } = useCall('stores', () => call('listStores', { query: { limit: 100 } }))
  const stores = answer?.items.map(({ slug, name }) => [slug, name] as const) ?? []
  const options = none === undefined ? stores : [['', none] as const, ...stores]
  return <Select name="storeSlug" label={label} value={value} options={options} {...(onChange && { onChange })} />
}
