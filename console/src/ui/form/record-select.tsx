import { useId } from 'preact/hooks'
import { useCall } from '../hooks/use-call.ts'
import type { Choice } from '../picker.tsx'
import { pickerOf } from '../record-picker.tsx'
import { Select } from './form.tsx'

/** More records than this are searched. */
export const SELECT_MAX = 100
const FOUND_MAX = 20

export interface RecordSelectProps {
  readonly value: string
  readonly onChange?: (id: string) => void
  /** Label of the option for none; absent: one must be selected. */
  readonly none?: string
  readonly label: string
  readonly hint?: string
  readonly name: string
}

interface Records<Item> {
  readonly list: (query: { readonly q?: string; readonly limit: number }) => Promise<{
    readonly items: readonly Item[]
    readonly nextCursor: string | null
  }>
  readonly choiceOf: (item: Item) => Choice
  /**
   * Whether there are more than a select shows, if that is known before they are loaded. Else nothing can be chosen or typed until
   * then: a select would lose what is typed into the search that replaces it.
   */
  readonly areMany?: () => boolean
  readonly known: (id: string) => Choice
  /** The names of records that are not known. */
  readonly byIds: (ids: readonly string[]) => Promise<readonly Choice[]>
}

/** A select of one kind of records by their names, or a search where there are many. */
export function selectOf<Item>({ list, choiceOf, areMany, known, byIds }: Records<Item>) {
  const RecordPicker = pickerOf({
    known,
    byIds,
    async find(q) {
      const { items } = await list({ ...(q && { q }), limit: FOUND_MAX })
      return items.map(choiceOf)
    },
  })
  return function RecordSelect({ value, onChange, none, hint, ...named }: RecordSelectProps) {
    const { data, loading } = useCall('records', () => list({ limit: SELECT_MAX }))
    const field = { ...named, ...(hint && { hint }) }
    if (loading && !data && !areMany) return <Loading {...field} value={value} />
    if (data ? data.nextCursor : areMany?.()) {
      const change = ([id = '']: readonly string[]) => (id !== '' || none !== undefined) && onChange?.(id)
      const ids = value ? [value] : []
      return <RecordPicker {...field} none={none} ids={ids} isSingle {...(onChange && { onChange: change })} />
    }
    const loaded = data?.items.map(choiceOf) ?? []
    // The chosen one stays chosen until the list is loaded, and without it.
    const isKnown = value === '' || loaded.some(({ id }) => id === value)
    const choices = isKnown ? loaded : [known(value), ...loaded]
    const options = choices.map(({ id, name }) => [id, name] as const)
    const all = none === undefined ? options : [['', none] as const, ...options]
    return <Select {...field} value={value} options={all} {...(onChange && { onChange })} />
  }
}

/** A field of the same size, which keeps its value in the form. */
function Loading({ label, hint, name, value }: Pick<RecordSelectProps, 'label' | 'hint' | 'name' | 'value'>) {
  const id = useId()
  return (
    <div class="field" aria-busy="true">
      <label for={id}>{label}</label>
      {hint && <p class="small">{hint}</p>}
      <input id={id} disabled />
      <input type="hidden" name={name} value={value} />
    </div>
  )
}
