import type { OperatorCategory } from '@vitrine/contract/operator'

/** A category in its tree. */
export interface Branch {
  readonly category: OperatorCategory
  readonly name: string
}

export function nameOf({ names, path }: OperatorCategory): string {
  return names[navigator.language.slice(0, 2)] ?? names.en ?? Object.values(names)[0] ?? path.at(-1) ?? ''
}

/** Each category behind its parent, siblings by position and then by name. */
export function inTreeOrder(categories: readonly OperatorCategory[]): readonly Branch[] {
  const sorted = categories
    .map((category) => ({ category, name: nameOf(category) }))
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
