/** The list with one item moved, or an unchanged copy if the target index is out of range. */
export function moved<Item>(all: readonly Item[], from: number, to: number): Item[] {
  const item = all[from]
  if (item === undefined || to < 0 || to >= all.length) return [...all]
  return all.toSpliced(from, 1).toSpliced(to, 0, item)
}
