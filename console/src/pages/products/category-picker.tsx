import type { OperatorCategory } from '@vitrine/contract/operator'
import { useMemo } from 'preact/hooks'
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
  const find = (q: string) => call('listCategories', { query: { store, status: 'active', ...(q && { q }) } })
  const { data } = useCall(`categories of ${store}`, () => find(''))
  // Once: the editor of a product renders with each key, and a store may have thousands of categories.
  const choices = useMemo(() => choicesOf(data?.items ?? []), [data])
  const chosen = paths.map((path) => {
    const id = path.join('/')
    return choices.get(id) ?? { id, name: path.join(' › ') }
  })
  return (
    <Picker
      key={data ? 'loaded' : 'loading'}
      label={translate('Categories')}
      chosen={chosen}
      find={async (typed) => {
        const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
        const isFound = ({ name, id }: Choice) => words.every((word) => `${name} ${id}`.toLowerCase().includes(word))
        // There are more than one answer has.
        const all = data?.hasMore ? choicesOf((await find(typed)).items) : choices
        return [...all.values()].filter(isFound).slice(0, SHOWN)
      }}
      onChange={(picked) => onChange(picked.map(({ id }) => id.split('/')))}
    />
  )
}

/** The categories of a store and of the marketplace by their paths. */
function choicesOf(categories: readonly OperatorCategory[]): ReadonlyMap<string, Choice> {
  const names = new Map(categories.map((each) => [each.path.join('/'), localized(each.names)]))
  return new Map(
    categories.map(({ path, store }) => {
      const id = path.join('/')
      const name = path.map((slug, depth) => names.get(path.slice(0, depth + 1).join('/')) ?? slug).join(' › ')
      return [id, { id, name, ...(store === null && { hint: translate('Marketplace') }) }]
    }),
  )
}
