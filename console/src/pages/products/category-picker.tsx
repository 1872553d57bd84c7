import type { OperatorCategory } from '@vitrine/contract/operator'
import { useMemo } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { localized } from '../../ui/form/localized-text.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Choice, Picker } from '../../ui/picker.tsx'

type Path = readonly string[]

const SHOWN = 20

/** Picks categories for products of these stores by their names: those of the marketplace, and of the store if it is the only one. */
export function CategoryPicker({
  stores,
  paths,
  onChange,
}: {
  readonly stores: readonly string[]
  readonly paths: readonly Path[]
  readonly onChange: (paths: string[][]) => void
}) {
  const [store, ...others] = stores
  const find = async (q: string) => {
    const { items, hasMore } = await call('listCategories', { query: { store, status: 'active', ...(q && { q }) } })
    return { items: others.length > 0 ? items.filter((each) => each.store === null) : items, hasMore }
  }
  const key = stores.join(' ')
  const all = useMemo(() => find(''), [key])
  const { data } = useCall(`categories of ${key}`, () => all)
  // Once: the editor of a product renders with each key, and a store may have thousands of categories.
  const choices = useMemo(() => choicesOf(data?.items ?? []), [data])
  const chosen = paths.map((path) => {
    const id = path.join('/')
    return choices.get(id) ?? { id, name: path.join(' › ') }
  })
  return (
    <Picker
      label={translate('Categories')}
      {...(others.length > 0 && {
        hint: translate('Products of several stores can only share categories of the marketplace.'),
      })}
      chosen={chosen}
      find={async (typed) => {
        const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
        const isFound = ({ name, id }: Choice) => words.every((word) => `${name} ${id}`.toLowerCase().includes(word))
        const loaded = await all.catch(() => find(typed))
        // There may be more than one answer has.
        const found = loaded.hasMore ? choicesOf((await find(typed)).items) : data ? choices : choicesOf(loaded.items)
        return [...found.values()].filter(isFound).slice(0, SHOWN)
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
