import type { OperatorProof, operatorOperations } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { proofEnd, saveProof } from '../../door/fresh-proof.ts'
import type { Operator, OperatorHandler } from '../../door/handler.ts'
import { readSecondFactor, takeCode } from '../../door/second-factor-store.ts'
import { findOperator } from '../../door/session-store.ts'
import { accountKey, refuseField } from './sessions.ts'

type Rows = typeof operatorOperations

export interface ProofDeps {
  readonly limiter: RateLimiter
  readonly keyring: Keyring
}

/** GET /operator/v1/session/proof */
const getOwnProof: OperatorHandler<Rows['getOwnProof']> = async (_input, { reader, operator }) => {
  return present(reader, operator, operator.provedAt ?? null)
}

/** POST /operator/v1/session/proof */
function proveOwnSession({ limiter, keyring }: ProofDeps): OperatorHandler<Rows['proveOwnSession']> {
  return async ({ body: { password, code } }, context) => {
    const { database, reader, operator, now, sessionToken, auditIn } = context
    const { id, email } = operator
    if (id === null || sessionToken === null) return refuse('session_required')
    refuseOverLimit(await limiter.take('sign-in-account', accountKey(email), now.getTime()))
    const found = await findOperator(reader, email)
    const matches = password !== undefined && (await matchesPassword(found?.password_hash ?? null, password))

    const subject = { type: 'operator', id }
    const wrong = await database.transaction(async (tx) => {
      const proof = await takeCode(tx, { operatorId: id, code, now, keyring })
      const isProven = proof === 'off' ? matches : proof === 'passed'
      auditIn(tx, { subject, before: null, after: { proof: isProven ? 'given' : 'failed' } })
      if (isProven) saveProof(tx, sessionToken, now)
      if (isProven) return null
      return proof === 'off' ? 'password' : 'code'
    })

    if (wrong === 'password') refuseField('password', 'This is not your password.')
    if (wrong === 'code') refuseField('code', 'The code does not match.')
    return present(reader, operator, now)
  }
}

export function proofOperations(deps: ProofDeps) {
  return { getOwnProof, proveOwnSession: proveOwnSession(deps) }
}

async function present(reader: Reader, { id, email }: Operator, provedAt: Date | null): Promise<OperatorProof> {
  if (id === null) return { methods: [] }
  const [factor, found] = await Promise.all([readSecondFactor(reader, id), findOperator(reader, email)])
  const password = found?.password_hash ? (['password'] as const) : []
  const validUntil = provedAt && proofEnd(provedAt).toISOString()
  return { methods: factor.isOn ? ['code'] : [...password], ...(validUntil !== null && { validUntil }) }
}
