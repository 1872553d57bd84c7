import type { Environment } from '../../../kernel/environment.ts'
import { machine } from '../../../kernel/state-machine.ts'
import type { Step } from '../providers/provider.ts'

export type IntentStatus =
  | 'created'
  | 'submitted'
  | 'requires_action'
  | 'pending'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'unknown'
  | 'reconciling'
export type IntentCommand =
  | 'submit'
  | 'proceed'
  | 'require_action'
  | 'pend'
  | 'reserve'
  | 'succeed'
  | 'fail'
  | 'void'
  | 'lose'
  | 'reconcile'
  | 'reverse'

/**
 * States of an intent. There is no `void` from `unknown`: a call that may have had an effect can only be looked up, not canceled.
 * @see docs/reference/rules.md#payment-intent
 */
export const intentMachine = machine<IntentStatus, IntentCommand>({
  initial: 'created',
  finals: ['failed', 'canceled'],
  transitions: {
    // Nothing has been sent, so it can be dropped.
    created: { submit: 'submitted', void: 'canceled' },
    // `proceed` sends the next step, or the same step again after a lookup.
    submitted: {
      proceed: 'submitted',
      require_action: 'requires_action',
      pend: 'pending',
      reserve: 'authorized',
      succeed: 'succeeded',
      fail: 'failed',
      void: 'canceled',
      lose: 'unknown',
    },
    requires_action: {
      proceed: 'submitted',
      require_action: 'requires_action',
      pend: 'pending',
      reserve: 'authorized',
      succeed: 'succeeded',
      fail: 'failed',
      // The provider reports another amount.
      lose: 'unknown',
    },
    // Pending and authorized charges are looked up, and continue with the next step: a capture, or a void.
    pending: { proceed: 'submitted', pend: 'pending', reserve: 'authorized', fail: 'failed', lose: 'unknown' },
    authorized: { proceed: 'submitted', reserve: 'authorized', fail: 'failed', lose: 'unknown' },
    unknown: { reconcile: 'reconciling' },
    // `reconcile` again: the process that did the lookup has died.
    reconciling: {
      reconcile: 'reconciling',
      proceed: 'submitted',
      require_action: 'requires_action',
      pend: 'pending',
      reserve: 'authorized',
      succeed: 'succeeded',
      fail: 'failed',
      void: 'canceled',
      lose: 'unknown',
    },
    // Refunds only: the bank has returned the money, days later.
    succeeded: { reverse: 'failed' },
    failed: {},
    canceled: {},
  },
})

export type RefundPurpose = 'cancellation' | 'after_sales' | 'late_success' | 'operator'
export type Purpose = 'checkout' | RefundPurpose

/** A charge or a refund, from its request to its result. */
export interface Intent {
  readonly id: string
  readonly kind: 'charge' | 'refund'
  readonly purpose: Purpose
  /** A checkout session, a cancellation, an after-sales request or a manual refund. */
  readonly subjectId: string
  readonly environment: Environment
  readonly installationId: string
  readonly storeId: string | null
  readonly provider: string
  /** Minor units. */
  readonly amount: bigint
  readonly currency: string
  /** The charge that a refund belongs to. */
  readonly chargeId: string | null
  /** For a charge: the sum of its refunds that were not declined. */
  readonly refundRequested: bigint
  /** Whether an authorization waits for the shop to capture it. */
  readonly capturesLater: boolean
  /** The part of an authorization that the shop captures. `null`: all of it. */
  readonly captureAmount: bigint | null
  /** When the provider releases an authorization, or the wait for a delayed payment ends. */
  readonly expiresAt: Date | null
  readonly returnUrl: string | null
  readonly status: IntentStatus
  readonly step: Step
  /** A void of the charge was requested. */
  readonly voidRequested: boolean
  readonly providerReference: string | null
  /** The provider's page where the shopper has to act; null if an operator has to. */
  readonly nextActionUrl: string | null
  readonly failureCode: string | null
  readonly version: number
  readonly leaseUntil: Date | null
  readonly fence: number
  readonly lookups: number
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
}

/** The amount that a charge captures: its whole amount, unless the shop captures a part. */
export function amountTaken({ captureAmount, amount }: Pick<Intent, 'captureAmount' | 'amount'>): bigint {
  return captureAmount ?? amount
}

/** Input for an intent. */
export type NewIntent = Pick<
  Intent,
  'id' | 'kind' | 'purpose' | 'subjectId' | 'environment' | 'installationId' | 'storeId' | 'provider' | 'amount'
> &
  Pick<Intent, 'currency' | 'chargeId' | 'returnUrl' | 'step' | 'capturesLater'>

/** A new intent, due at once. */
export function createdIntent(facts: NewIntent, now: Date): Intent {
  return {
    ...facts,
    status: 'created',
    refundRequested: 0n,
    captureAmount: null,
    expiresAt: null,
    voidRequested: false,
    providerReference: null,
    nextActionUrl: null,
    failureCode: null,
    version: 1,
    leaseUntil: null,
    fence: 0,
    lookups: 0,
    dueAt: now,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  }
}

/** The job that advances an intent until it has ended, even if its caller dies. */
export const ADVANCE_JOB = 'payments.advance'

/** Whether nothing is left to do. A refund that has succeeded may still be reversed. */
export function isEnded({ status }: Pick<Intent, 'status'>): boolean {
  return status === 'succeeded' || intentMachine.finals.includes(status)
}

/** The provider's idempotency key of a step. The database generates the same in a column. */
export function providerKey(intentId: string, step: Step): string {
  return `${intentId}:${step}`
}

/** Long enough to be unique, short enough to type. */
export const REFERENCE_LENGTH = 10

/** The reference of a bank transfer: the end of the intent's id. */
export function transferReference({ id }: Pick<Intent, 'id'>): string {
  return id.slice(-REFERENCE_LENGTH).toUpperCase()
}
