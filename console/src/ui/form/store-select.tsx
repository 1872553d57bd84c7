import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useOwnStore } from '../../page.ts'
import { storeCount, storeName } from '../../stores.ts'
import { type RecordSelectProps, SELECT_MAX, selectOf } from './record-select.tsx'

const AnyStore = selectOf({
  list: (query) => call('listStores', { query }),
  choiceOf: ({ slug, name }) => ({ id: slug, name, hint: slug }),
  areMany: () => storeCount() > SELECT_MAX,
  known: (slug) => ({ id: slug, name: storeName(slug) }),
  byIds: async () => [],
})

type StoreSelectProps = Omit<RecordSelectProps, 'label' | 'name'> & Partial<Pick<RecordSelectProps, 'label' | 'name'>>

/** Selects a store. An operator of one store has no choice. */
export function StoreSelect({ label = translate('Store'), name = 'storeSlug', ...props }: StoreSelectProps) {
  const own = useOwnStore()
  if (own !== undefined) return <input type="hidden" name={name} value={own} />
  return <AnyStore label={label} name={name} {...props} />
}
