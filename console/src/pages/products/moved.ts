/** A list with one of its items at another place; as it was where there is no such place. */
export function moved<Item>(all: readonly Item[], from: number, to: number): Item[] {
  const item = all[from]
  if (item === undefined || to < 0 || to >= all.length) return [...all]
  return all.toSpliced(from, 1).toSpliced(to, 0, item)
}
