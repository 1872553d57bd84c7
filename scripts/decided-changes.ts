import type { BreakingChange } from './breaking-changes.ts'

/** Breaking changes since the last release that were decided. An entry that matches nothing fails the check. */

export interface DecidedChange {
  readonly kind: BreakingChange['kind']
  /** The pointer, or all of that kind. */
  readonly pointer?: string
  /** How the detail ends, such as one value. */
  readonly detail?: string
  readonly reason: string
}

export const decidedChanges: readonly DecidedChange[] = [
  {
    kind: 'fields opened',
    reason: 'A client of v1 ignores members that it does not know; closed responses could never gain one.',
  },
  {
    kind: 'values added',
    detail: 'x-extensible-enum',
    reason: 'States, reasons and kinds may grow in v1; enums that may not keep the keyword `enum`.',
  },
  {
    kind: 'parameter required',
    pointer: 'header Idempotency-Key',
    reason: 'It was required before and was named only by x-idempotency, so that generated clients could not send it.',
  },
  {
    kind: 'alternative removed',
    pointer: 'CreateHostedCheckoutSessionRequest',
    reason: 'A body with both a cart and lines was accepted, and half of it ignored.',
  },
  {
    kind: 'field optional',
    pointer: 'HostedCheckoutSession /url',
    reason: 'The link carries the key to the checkout page: a plain key no longer reads it.',
  },
  {
    kind: 'limit tightened',
    pointer: 'StorefrontOrderTransitionRequest /lines',
    reason: 'An empty list was always refused, by another code.',
  },
]

export interface Judgement {
  readonly undecided: readonly BreakingChange[]
  readonly unmatched: readonly DecidedChange[]
}

/** Compares the changes of the tree with those that were decided. */
export function judge(changes: readonly BreakingChange[], decided: readonly DecidedChange[]): Judgement {
  const covers =
    ({ kind, pointer, detail }: DecidedChange) =>
    (change: BreakingChange) =>
      change.kind === kind &&
      (pointer === undefined || change.pointer === pointer) &&
      (detail === undefined || change.detail.endsWith(detail))
  return {
    undecided: changes.filter((change) => !decided.some((each) => covers(each)(change))),
    unmatched: decided.filter((each) => !changes.some(covers(each))),
  }
}
