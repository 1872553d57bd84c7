import type { OperatorCategory } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { localized } from '../../ui/form/localized-text.tsx'

/** A category with its display name, and the names of those above it. */
export interface Branch {
  readonly category: OperatorCategory
  readonly name: string
  readonly above: readonly string[]
}

/** Sorts each category after its parent, siblings by position and then by name. */
export function inTreeOrder(categories: readonly OperatorCategory[]): readonly Branch[] {
  const sorted = categories
    .map((category) => ({ category, name: localized(category.names), above: [] }))
    .sort((a, b) => a.category.position - b.category.position || a.name.localeCompare(b.name))
  const below = Map.groupBy(sorted, ({ category }) => category.parentId)
  const ordered: Branch[] = []
  const add = (parentId: string | null, above: readonly string[]) => {
    for (const branch of below.get(parentId) ?? []) {
      ordered.push({ ...branch, above })
      add(branch.category.id, [...above, branch.name])
    }
  }
  add(null, [])
  return ordered
}

/** Those whose name or path contains a text. */
export function matching(branches: readonly Branch[], q: string): readonly Branch[] {
  const text = q.trim().toLowerCase()
  if (text === '') return branches
  return branches.filter(({ category, name }) => `${name}\n${category.path.join('/')}`.toLowerCase().includes(text))
}

/** The possible parents of a category: those of the same owner outside its own subtree, or none. */
export function parentOptions(
  branches: readonly Branch[],
  store: string | null,
  moved: OperatorCategory | null,
): readonly (readonly [id: string, label: string])[] {
  const isInside = ({ path }: OperatorCategory) => moved?.path.every((slug, depth) => path[depth] === slug) ?? false
  const open = branches.filter(({ category }) => category.store === store && !isInside(category))
  const indented = ({ category, name }: Branch) => `${'\u2003'.repeat(category.path.length - 1)}${name}`
  return [['', translate('None (top level)')], ...open.map((branch) => [branch.category.id, indented(branch)] as const)]
}
