import { timingSafeEqual } from 'node:crypto'
import { limits } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import { mac } from '../../platform/secrets/server-secrets.ts'
import type { Decision } from './eligibility.ts'

/** What was asked: a token of one question answers no other. */
export type EligibilityQuestion = 'cancellation' | 'after_sales'

/** What was answered, as far as it binds us: the rules, and the moment that they were read at. */
export interface Answered {
  readonly question: EligibilityQuestion
  readonly orderId: string
  readonly orderVersion: number
  readonly decision: Decision
  readonly at: Date
  /** The version of each store's policy, in the order of `listVisibleStores`: an id each would not fit. */
  readonly policyVersions: readonly number[]
  /** The lines that were sold for good, by their places from 0. */
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
]

const TTL_MS = limits.orders.eligibilityTokenSeconds * 1000

/** Seals an answer: readable by anyone, made by us alone (HMAC-SHA256), good for ten minutes. */
export function sealEligibility(secret: Buffer, answered: Answered): string {
  const { question, orderId, orderVersion, decision, at, policyVersions, finalSale } = answered
  const sealed: Sealed = [question, orderId, orderVersion, decision, at.getTime(), policyVersions, finalSale]
  const payload = Buffer.from(JSON.stringify(sealed)).toString('base64url')
  return `${payload}.${mac(secret, payload).toString('base64url')}`
}

/**
 * What `sealEligibility` sealed, for this question and this order. Refuses `validation_failed` where the token was changed,
 * belongs to another order or question (`invalid`), or is older than ten minutes (`expired`): whoever sends one counts on
 * its answer, so nothing is done by another.
 */
export function openEligibility(
  secret: Buffer,
  token: string,
  { question, orderId, now }: Pick<Answered, 'question' | 'orderId'> & { readonly now: Date },
): Answered {
  const [payload = '', seal = ''] = token.split('.')
  const expected = mac(secret, payload)
  const given = Buffer.from(seal, 'base64url')
  // The text is compared too: base64url has several spellings of the same bytes.
  const genuine =
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    token === `${payload}.${expected.toString('base64url')}`
  if (!genuine) refuseToken('invalid', 'It was not given by us.')

  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed
  const [ofQuestion, ofOrder, orderVersion, decision, atMs, policyVersions, finalSale] = sealed
  if (ofQuestion !== question || ofOrder !== orderId) {
    refuseToken('invalid', 'It was given for another order or another question.')
  }
  if (now.getTime() >= atMs + TTL_MS) refuseToken('expired', 'Its ten minutes are over. Ask again.')
  return { question, orderId, orderVersion, decision, at: new Date(atMs), policyVersions, finalSale }
}

/** The same of a token that may have been left out: `null`. */
export function openGiven(
  secret: Buffer,
  token: string | undefined,
  asked: Pick<Answered, 'question' | 'orderId'> & { readonly now: Date },
): Answered | null {
  return token === undefined ? null : openEligibility(secret, token, asked)
}

function refuseToken(code: 'invalid' | 'expired', message: string): never {
  refuse('validation_failed', { details: [{ in: 'body', pointer: '/eligibilityToken', code, message }] })
}
