import type { OperatorCategory } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { localized } from '../../ui/form/localized-text.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Choice, Picker } from '../../ui/picker.tsx'

type Path = readonly string[]

const SHOWN = 20

/** Picks categories of a store and of the marketplace by their names. */
export function CategoryPicker({
  store,
  paths,
  onChange,
}: {
  readonly store: string
  readonly paths: readonly Path[]
  readonly onChange: (paths: string[][]) => void
}) {
  const { data } = useCall(`categories of ${store}`, () => call('listCategories', { query: { status: 'active' } }))
  const items = (data?.items ?? []).filter((category) => category.store === null || category.store === store)
  const choices = items.map((category) => choiceOf(category, items))
  const chosen = paths.map((path) => {
    const id = path.join('/')
    return choices.find((choice) => choice.id === id) ?? { id, name: path.join(' › ') }
  })
  return (
    <Picker
      key={data ? 'loaded' : 'loading'}
      label={translate('Categories')}
      chosen={chosen}
      find={async (typed) => {
        const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
        const isFound = ({ name, id }: Choice) => words.every((word) => `${name} ${id}`.toLowerCase().includes(word))
        return choices.filter(isFound).slice(0, SHOWN)
      }}
      onChange={(picked) => onChange(picked.map(({ id }) => id.split('/')))}
    />
  )
}

function choiceOf({ path, store }: OperatorCategory, all: readonly OperatorCategory[]): Choice {
  const names = path.map((slug, depth) => {
    const parent = all.find((each) => each.path.join('/') === path.slice(0, depth + 1).join('/'))
    return parent ? localized(parent.names) : slug
  })
  return { id: path.join('/'), name: names.join(' › '), ...(store === null && { hint: translate('Marketplace') }) }
}
