import { limits } from '@vitrine/contract'
import { refuseField } from '../../../kernel/refusal.ts'
import { isDerived, mac, type Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { Order } from '../order/order.ts'
import type { Decision } from './eligibility.ts'

/** A token is valid for one question. */
export type EligibilityQuestion = 'cancellation' | 'after_sales'

/** The binding part of an answer: the rules, and the time they were read. */
export interface EligibilityAnswer {
  readonly question: EligibilityQuestion
  readonly orderId: string
  /** The store whose share was evaluated; `null`: the whole order. */
  readonly storeId: string | null
  readonly orderVersion: number
  readonly decision: Decision
  readonly at: Date
  /** The version of each store's policy, in the order of `storesOf`. Versions are shorter than ids. */
  readonly policyVersions: readonly number[]
  /** Indexes of the lines that are final sale. */
  readonly finalSale: readonly number[]
}

type Sealed = readonly [
  question: EligibilityQuestion,
  orderId: string,
  orderVersion: number,
  decision: Decision,
  atMs: number,
  policyVersions: readonly number[],
  finalSale: readonly number[],
  storeId?: string | null,
]

const TTL_MS = limits.orders.eligibilityTokenSeconds * 1000

/** Signs an answer (HMAC-SHA256). Readable by anyone, valid for ten minutes. */
export function sealEligibilityToken(secret: Secret, answered: EligibilityAnswer): string {
  const { question, orderId, storeId, orderVersion, decision, at, policyVersions, finalSale } = answered
  const sealed: Sealed = [question, orderId, orderVersion, decision, at.getTime(), policyVersions, finalSale, storeId]
  const payload = Buffer.from(JSON.stringify(sealed)).toString('base64url')
  return `${payload}.${mac(secret, payload).toString('base64url')}`
}

/**
 * Opens a token for this question and order. Refuses `validation_failed` if it was changed, belongs to another order or
 * question (`invalid`), or is older than ten minutes (`expired`). It does not fall back to the current rules, because the sender
 * relies on the answer in the token.
 */
export function openEligibilityToken(
  secret: Secret,
  token: string,
  { question, orderId, now }: Pick<EligibilityAnswer, 'question' | 'orderId'> & { readonly now: Date },
): EligibilityAnswer {
  const [payload = '', seal = ''] = token.split('.')
  const given = Buffer.from(seal, 'base64url')
  // Compares the text too: base64url has several spellings of the same bytes.
  const genuine =
    isDerived(secret, given, (each) => mac(each, payload)) && token === `${payload}.${given.toString('base64url')}`
  if (!genuine) refuseToken('invalid', 'The token is not valid.')

  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed
  const [ofQuestion, ofOrder, orderVersion, decision, atMs, policyVersions, finalSale, storeId = null] = sealed
  if (ofQuestion !== question || ofOrder !== orderId) {
    refuseToken('invalid', 'The token was issued for another order or question.')
  }
  if (now.getTime() >= atMs + TTL_MS) refuseToken('expired', 'The token has expired. Request the eligibility again.')
  return { question, orderId, storeId, orderVersion, decision, at: new Date(atMs), policyVersions, finalSale }
}

/** Opens a token like `openEligibilityToken`; `null` without a token. */
export function openOptionalToken(
  secret: Secret,
  token: string | undefined,
  asked: Pick<EligibilityAnswer, 'question' | 'orderId'> & { readonly now: Date },
): EligibilityAnswer | null {
  return token === undefined ? null : openEligibilityToken(secret, token, asked)
}

/** Refuses `validation_failed` for a token of another share: its policies are those of other stores. */
export function refuseForeignToken({ storeId }: EligibilityAnswer, { share }: Pick<Order, 'share'>): void {
  if (storeId !== (share?.storeId ?? null))
    refuseToken('invalid', 'The token was issued for another share of the order.')
}

function refuseToken(code: 'invalid' | 'expired', message: string): never {
  refuseField('eligibilityToken', code, message)
}
