/** A row to ship that a line of the list can refer to. */
interface TrackedRow {
  readonly id: string
  readonly orderNumber: string
}

/** The tracking numbers of a pasted list. */
export interface TrackingList {
  /** Tracking numbers by row. */
  readonly numbers: ReadonlyMap<string, string>
  /** The lines that match no row. */
  readonly unused: readonly string[]
}

/** The numbers of the open rows after the list was read again. One that the list gave before stays only if it was changed since. */
export function withList(
  numbers: ReadonlyMap<string, string>,
  open: readonly TrackedRow[],
  before: TrackingList['numbers'],
  after: TrackingList['numbers'],
): ReadonlyMap<string, string> {
  const dropped = open.filter(({ id }) => before.has(id) && before.get(id) === numbers.get(id))
  const kept = [...numbers].filter(([id]) => !dropped.some((row) => row.id === id))
  return new Map([...kept, ...after])
}

/**
 * Reads tracking numbers that were copied from a table or from a carrier's portal. A line with an order
 * number belongs to that order; a line with only a tracking number belongs to the next row without one.
 */
export function readTrackingList(text: string, rows: readonly TrackedRow[]): TrackingList {
  const numbers = new Map<string, string>()
  const unused: string[] = []
  const single: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const cells = line.split(/[\t;,]/).flatMap((cell) => cell.trim() || [])
    const isOrder = (cell: string) => rows.some(({ orderNumber }) => orderNumber.toLowerCase() === cell.toLowerCase())
    const order = cells.find(isOrder)
    const [number] = cells.filter((cell) => !isOrder(cell))
    const row =
      order && rows.find((each) => each.orderNumber.toLowerCase() === order.toLowerCase() && !numbers.has(each.id))
    if (row && number) numbers.set(row.id, number)
    else if (cells.length === 1 && number) single.push(number)
    else if (cells.length > 0) unused.push(line.trim())
  }
  for (const number of single) {
    const row = rows.find(({ id }) => !numbers.has(id))
    if (row) numbers.set(row.id, number)
    else unused.push(number)
  }
  return { numbers, unused }
}
