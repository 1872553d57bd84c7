import type { OperatorCategory } from '@vitrine/contract/operator'
import { inReadersLanguage } from '../../ui/form/localized-text.tsx'

/** A category in its tree. */
export interface Branch {
  readonly category: OperatorCategory
  readonly name: string
}

/** Each category behind its parent, siblings by position and then by name. */
export function inTreeOrder(categories: readonly OperatorCategory[]): readonly Branch[] {
  const sorted = categories
    .map((category) => ({ category, name: inReadersLanguage(category.names) }))
    .sort((a, b) => a.category.position - b.category.position || a.name.localeCompare(b.name))
  const below = Map.groupBy(sorted, ({ category }) => category.parentId)
  const withBelow = (branch: Branch): Branch[] => [branch, ...(below.get(branch.category.id) ?? []).flatMap(withBelow)]
  return (below.get(null) ?? []).flatMap(withBelow)
}

/** Where a category can stand: below those of the same owner that are not in itself, or as a root. */
export function placesFor(
  branches: readonly Branch[],
  store: string | null,
  moved: OperatorCategory | null,
): readonly (readonly [id: string, label: string])[] {
  const isInside = ({ path }: OperatorCategory) => moved?.path.every((slug, depth) => path[depth] === slug) ?? false
  const open = branches.filter(({ category }) => category.store === store && !isInside(category))
  const indented = ({ category, name }: Branch) => `${'\u2003'.repeat(category.path.length - 1)}${name}`
  return [['', 'Nothing: it is a root'], ...open.map((branch) => [branch.category.id, indented(branch)] as const)]
}
