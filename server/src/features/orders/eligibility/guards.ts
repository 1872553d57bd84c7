import { refuse, refuseField, refuseStale } from '../../../kernel/refusal.ts'
import type { LineQuantity, Order } from '../order/order.ts'
import { statusesOf } from '../order/status.ts'
import type { Eligibility } from './eligibility.ts'

/** Refuses `quantity_invalid` for an empty list or a duplicate line. Needs the request only. */
export function refuseInvalidLines(lines: readonly LineQuantity[]): void {
  const twice = lines.findIndex(({ lineId }, index) => lines.findIndex((line) => line.lineId === lineId) !== index)
  if (twice === -1 && lines.length > 0) return
  const [field, code, message] =
    lines.length === 0
      ? ['lines', 'empty', 'List the lines, or omit this field for all of them.']
      : [`lines/${twice}/lineId`, 'duplicate', 'List each line once.']
  refuse('quantity_invalid', { faults: [{ field, code, message }] })
}

/** Refuses `validation_failed` for a line that is not in the order. */
export function refuseUnknownLines(order: Order, lines: readonly LineQuantity[]): void {
  const faults = lines.flatMap(({ lineId }, index) => {
    if (order.lines.some(({ id }) => id === lineId)) return []
    const message = 'The order has no such line.'
    return [{ field: `lines/${index}/lineId`, code: 'unknown_line', message }]
  })
  if (faults.length > 0) refuse('validation_failed', { faults: faults.slice(0, 20) })
}

/** Refuses `version_conflict`. */
export function refuseStaleVersion(order: Order, expectedVersion: number | undefined): void {
  refuseStale(order.version, expectedVersion, { currentState: order.status })
}

/** Refuses `payment_outcome_unknown`: nothing is decided while money may or may not have moved. */
export function refuseUnknownOutcome(order: Order): void {
  if (statusesOf(order).paymentStatus !== 'unknown') return
  const { version: currentVersion, status: currentState } = order
  refuse('payment_outcome_unknown', {
    conflict: { currentVersion, currentState, reasons: ['payment_outcome_unknown'] },
  })
}

/** Refuses `quantity_exceeded`, and lists the lines with fewer units than requested. */
export function refuseTooMany(lines: readonly LineQuantity[], { max }: Pick<Eligibility, 'max'>): void {
  const left = new Map(max.map(({ lineId, quantity }) => [lineId, quantity]))
  const over = lines.filter(({ lineId, quantity }) => quantity > (left.get(lineId) ?? 0))
  if (over.length === 0) return
  refuse('quantity_exceeded', {
    conflict: {
      reasons: ['quantity_exceeded'],
      lines: over.map(({ lineId, quantity }) => {
        return { lineId, requestedQuantity: quantity, availableQuantity: left.get(lineId) ?? 0 }
      }),
    },
  })
}

/** Refuses `validation_failed` for a displayed text that is blank or too long. */
export function refuseInvalidText(
  text: string | undefined,
  { field, max }: { readonly field: string; readonly max: number },
): void {
  if (text === undefined || (text.trim() !== '' && text.length <= max)) return
  refuseField(field, 'out_of_range', `1 to ${max} characters.`, { min: 1, max })
}

/** The reason for declining: 1 to 500 characters, shown to the shopper. */
export const DECLINE_REASON = { field: 'declineReason', max: 500 } as const
