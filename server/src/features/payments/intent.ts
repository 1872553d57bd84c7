import type { Environment } from '../../kernel/environment.ts'
import { machine } from '../../kernel/state-machine.ts'

export type IntentStatus =
  | 'created'
  | 'submitted'
  | 'requires_action'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'unknown'
  | 'reconciling'
export type IntentCommand = 'submit' | 'proceed' | 'require_action' | 'succeed' | 'fail' | 'void' | 'lose' | 'reconcile'

/**
 * An intent from the decision to its end. `void` has no way out of `unknown`: what may have happened cannot be called off,
 * only looked at. @see CONTRACT, State machines, Payment intent
 */
export const intentMachine = machine<IntentStatus, IntentCommand>({
  initial: 'created',
  finals: ['succeeded', 'failed', 'canceled'],
  transitions: {
    // Nothing has been sent, so it can still be dropped.
    created: { submit: 'submitted', void: 'canceled' },
    // `proceed` sends the next step, or after a lookup the same one again.
    submitted: {
      proceed: 'submitted',
      require_action: 'requires_action',
      succeed: 'succeeded',
      fail: 'failed',
      void: 'canceled',
      lose: 'unknown',
    },
    requires_action: { proceed: 'submitted', require_action: 'requires_action', succeed: 'succeeded', fail: 'failed' },
    unknown: { reconcile: 'reconciling' },
    // `reconcile` again: who looked has died.
    reconciling: {
      reconcile: 'reconciling',
      proceed: 'submitted',
      require_action: 'requires_action',
      succeed: 'succeeded',
      fail: 'failed',
      void: 'canceled',
      lose: 'unknown',
    },
    succeeded: {},
    failed: {},
    canceled: {},
  },
})

/** What is asked of the provider: a charge is authorized and then captured, or voided; a refund is one step. */
export type Step = 'authorize' | 'capture' | 'void' | 'refund'
export type RefundPurpose = 'cancellation' | 'after_sales' | 'late_success' | 'operator'
export type Purpose = 'checkout' | RefundPurpose

/** One effect that money has, or will have, or has not had. */
export interface Intent {
  readonly id: string
  readonly kind: 'charge' | 'refund'
  readonly purpose: Purpose
  /** What it is for: a checkout session, a cancellation, an after-sales request, an order. */
  readonly subjectId: string
  readonly environment: Environment
  readonly installationId: string
  readonly storeId: string | null
  readonly provider: string
  /** Minor units. */
  readonly amount: bigint
  readonly currency: string
  /** Of a refund: the charge that it gives back a part of. */
  readonly chargeId: string | null
  /** Of a charge: how much has been asked back, and not been refused. */
  readonly refundAsked: bigint
  readonly returnUrl: string | null
  readonly status: IntentStatus
  readonly step: Step
  /** The charge is not wanted any more. */
  readonly voidAsked: boolean
  readonly providerReference: string | null
  /** A page of the provider where the shopper has to do something; null where an operator has to. */
  readonly nextActionUrl: string | null
  readonly failureCode: string | null
  readonly version: number
  readonly leaseUntil: Date | null
  readonly fence: number
  readonly looks: number
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
}

/** What an intent is begun with. */
export type NewIntent = Pick<
  Intent,
  'id' | 'kind' | 'purpose' | 'subjectId' | 'environment' | 'installationId' | 'storeId' | 'provider' | 'amount'
> &
  Pick<Intent, 'currency' | 'chargeId' | 'returnUrl' | 'step'>

/** An intent at its beginning: nobody has been asked, and it is time to. */
export function createdIntent(facts: NewIntent, now: Date): Intent {
  return {
    ...facts,
    status: 'created',
    refundAsked: 0n,
    voidAsked: false,
    providerReference: null,
    nextActionUrl: null,
    failureCode: null,
    version: 1,
    leaseUntil: null,
    fence: 0,
    looks: 0,
    dueAt: now,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  }
}

/** Nothing more happens to it. */
export function isEnded({ status }: Pick<Intent, 'status'>): boolean {
  return intentMachine.finals.includes(status)
}

/** What the provider knows a step of an intent by. The database says the same in a column of its own. */
export function providerKey(intentId: string, step: Step): string {
  return `${intentId}:${step}`
}
