import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { refuses } from '../../../../../test/support/refuses.ts'
import { type EligibilityAnswer, openEligibilityToken, openOptionalToken, sealEligibilityToken } from './token.ts'

const secret = randomBytes(32)
const AT = new Date('2026-05-04T12:00:00.000Z')
const answered: EligibilityAnswer = {
  question: 'cancellation',
  orderId: 'ord_1',
  storeId: null,
  orderVersion: 3,
  decision: 'eligible',
  at: AT,
  policyVersions: [0, 7],
  finalSale: [1],
}
const asked = { question: 'cancellation', orderId: 'ord_1', now: AT } as const
const TEN_MINUTES_MS = 600_000

/** Asserts that a token is refused with a code. */
async function refusesToken(token: string, code: string, question: Parameters<typeof openEligibilityToken>[2] = asked) {
  const { facts } = await refuses('validation_failed', () => openEligibilityToken(secret, token, question))
  assert.deepEqual([facts.faults?.[0]?.field, facts.faults?.[0]?.code], ['eligibilityToken', code])
}

describe('an eligibility token', () => {
  const token = sealEligibilityToken(secret, answered)

  test('carries the decision, its rules and its time for ten minutes to the millisecond', async () => {
    const last = new Date(AT.getTime() + TEN_MINUTES_MS - 1)
    assert.deepEqual(openEligibilityToken(secret, token, { ...asked, now: last }), answered)
    await refusesToken(token, 'expired', { ...asked, now: new Date(AT.getTime() + TEN_MINUTES_MS) })
  })

  test('is optional', () => {
    assert.equal(openOptionalToken(secret, undefined, asked), null)
    assert.deepEqual(openOptionalToken(secret, token, asked), answered)
  })

  test('matches the pattern of the contract, also for an order of a hundred lines and stores', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index)
    const long = sealEligibilityToken(secret, {
      ...answered,
      policyVersions: hundred.map(() => 1000),
      finalSale: hundred,
    })
    assert.match(long, /^[A-Za-z0-9_.-]{1,4096}$/)
  })

  test('is refused for another order or question', async () => {
    await refusesToken(token, 'invalid', { ...asked, orderId: 'ord_2' })
    await refusesToken(token, 'invalid', { ...asked, question: 'after_sales' })
  })

  test('is refused if any byte is changed', async () => {
    for (const index of token.split('').keys()) {
      const other = token[index] === 'A' ? 'B' : 'A'
      await refusesToken(`${token.slice(0, index)}${other}${token.slice(index + 1)}`, 'invalid')
    }
  })

  test('is refused if truncated, extended, signed with another secret or unsigned', async () => {
    const [payload] = token.split('.')
    for (const wrong of ['x', payload!, `${payload}.`, `${token}.x`, `${token}A`, token.slice(0, -1)]) {
      await refusesToken(wrong, 'invalid')
    }
    await refusesToken(sealEligibilityToken(randomBytes(32), answered), 'invalid')
  })
})
