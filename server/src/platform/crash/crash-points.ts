/**
 * Where a process can be told to kill itself, to show that nothing is lost or done twice there. Each name says what has
 * just been done. @see DESIGN §7, CRASH_AT
 */
export const CRASH_POINTS = [
  /** The session, the hold and the lock are written and not committed. */
  'checkout.begun',
  /** They are committed; nobody has been answered. */
  'checkout.committed',
  /** The intent is committed; the provider knows nothing of it. */
  'payment.intended',
  /** The intent is marked as submitted; the provider has not been called. */
  'payment.submitted',
  /** The provider has answered; we have not written it down. */
  'payment.answered',
  /** The charge is captured at the provider, and the order is written and not committed. */
  'order.placed',
  /** The order is committed; nobody has been told. */
  'order.committed',
  /** The fulfilment is claimed; nothing has been handed over. */
  'fulfilment.claimed',
  /** It has been handed over; we have not written it down. */
  'fulfilment.handed_over',
  /** The cancellation and its refund intent are written and not committed. */
  'cancellation.decided',
  /** The refund is marked as submitted; the provider has not been called. */
  'refund.submitted',
  /** The provider has answered to the refund; we have not written it down. */
  'refund.answered',
  /** The endpoint has answered to the delivery; we have not written it down. */
  'delivery.answered',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

let armed: CrashPoint | null = null

/** Arms one point for this process, or none. Called once, at the start, with what the operator has set. */
export function armCrashPoint(point: CrashPoint | null): void {
  armed = point
}

/** Kills the process, as a lost machine would, where the point is armed. Costs a comparison where it is not. */
export function crashPoint(point: CrashPoint): void {
  if (armed === point) process.kill(process.pid, 'SIGKILL')
}
