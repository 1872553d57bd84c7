/**
 * Points at which a process can kill itself, for tests that nothing is lost or done twice. A point is named after the step before it.
 * @see docs/reference/rules.md#crash-points
 */
export const CRASH_POINTS = [
  /** The session, the stock hold and the cart lock are written but not committed. */
  'checkout.begun',
  /** They are committed; the response has not been sent. */
  'checkout.committed',
  /** The intent is committed; the provider has not received it. */
  'payment.intended',
  /** The intent is marked as submitted; the provider has not been called. */
  'payment.submitted',
  /** The provider has responded; the response is not recorded. */
  'payment.answered',
  /** The charge is captured at the provider, and the order is written but not committed. */
  'order.placed',
  /** The order is committed; no event has been delivered. */
  'order.committed',
  /** The fulfillment is claimed; nothing has been handed over. */
  'fulfilment.claimed',
  /** It has been handed over; that is not recorded. */
  'fulfilment.handed_over',
  /** The cancellation and its refund intent are written but not committed. */
  'cancellation.decided',
  /** The refund is marked as submitted; the provider has not been called. */
  'refund.submitted',
  /** The provider has responded to the refund; the response is not recorded. */
  'refund.answered',
  /** The endpoint has responded to the delivery; the response is not recorded. */
  'delivery.answered',
  /** The uploaded picture is in a temporary file; no files of the picture are made. */
  'picture.received',
  /** The files of the picture are made; there is no row and no file is stored. */
  'picture.made',
  /** The row is written; the files are not stored. */
  'picture.planned',
  /** The files are stored; the row does not say so. */
  'picture.kept',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

let armed: CrashPoint | null = null

/** Arms one point for this process, or none. Called once at the start, with the setting CRASH_AT. */
export function armCrashPoint(point: CrashPoint | null): void {
  armed = point
}

/** Kills the process with SIGKILL if the point is armed. */
export function crashPoint(point: CrashPoint): void {
  if (armed === point) process.kill(process.pid, 'SIGKILL')
}
