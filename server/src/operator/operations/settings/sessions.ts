import { timingSafeEqual } from 'node:crypto'
import type { operatorOperations } from '@vitrine/contract/operator'
import { hashNewPassword } from '../../../features/accounts/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import { addressForLimits } from '../../../platform/http/client-address.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import {
  endOperatorSession,
  findOperator,
  insertOperator,
  lockOperators,
  openOperatorSession,
  operatorsExist,
} from '../../door/session-store.ts'

type Rows = typeof operatorOperations

export interface SessionDeps {
  readonly limiter: RateLimiter
  /** The token of the setup link, valid until an operator exists. */
  readonly setupToken: string
}

/** GET /operator/v1/setup */
export const getSetupState: OperatorHandler<Rows['getSetupState']> = async (_input, { reader }) => {
  return { needed: !(await operatorsExist(reader)) }
}

/** POST /operator/v1/setup */
export function setUp({ setupToken }: SessionDeps): OperatorHandler<Rows['setUp']> {
  return async ({ body }, context) => {
    const { database, ids, now, randomness, setSession, actAs, auditIn } = context
    const { email, password } = body
    if (!timingSafeEqual(hashOfToken(body.setupToken), hashOfToken(setupToken))) refuse('setup_token_invalid')
    const passwordHash = await hashNewPassword(password, email, 'password')
    const id = ids.next('opr')

    actAs({ id, email, via: 'setup' })
    const session = await database.transaction(async (tx) => {
      await lockOperators(tx)
      if (await operatorsExist(tx)) refuse('setup_done')
      await insertOperator(tx, { id, email, passwordHash, now })
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { email } })
      return openOperatorSession(tx, id, { now, randomness })
    })

    setSession(session.token)
    return { operator: { id, email }, expiresAt: session.expiresAt.toISOString() }
  }
}

/** POST /operator/v1/sessions */
export function signIn({ limiter }: SessionDeps): OperatorHandler<Rows['signIn']> {
  return async ({ body }, context) => {
    const { database, reader, now, randomness, address, setSession, actAs, auditIn } = context
    const who = hashOfToken(body.email.toLowerCase()).toString('base64url')
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
    refuseOverLimit(await limiter.take('sign-in-account', `operator ${who}`, now.getTime()))
    const found = await findOperator(reader, body.email)
    const matches = await matchesPassword(found?.password_hash ?? null, body.password)
    if (!found || !matches) {
      actAs({ id: found?.id ?? null, email: body.email, via: 'session' })
      const failed = { type: 'operator', id: found?.id ?? 'unknown' }
      await database.transaction(async (tx) =>
        auditIn(tx, { subject: failed, before: null, after: { signedIn: false } }),
      )
      refuse('sign_in_failed')
    }
    const { id, email } = found

    actAs({ id, email, via: 'session' })
    const session = await database.transaction(async (tx) => {
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { signedIn: true } })
      return openOperatorSession(tx, id, { now, randomness })
    })

    setSession(session.token)
    return { operator: { id, email }, expiresAt: session.expiresAt.toISOString() }
  }
}

/** GET /operator/v1/session */
export const getSession: OperatorHandler<Rows['getSession']> = async (_input, { operator }) => {
  const { id, email } = operator
  return { operator: { ...(id !== null && { id }), email } }
}

/** DELETE /operator/v1/session */
export const signOut: OperatorHandler<Rows['signOut']> = async (_input, context) => {
  const { database, operator, sessionToken, setSession, auditIn } = context
  const subject = { type: 'operator', id: operator.id ?? operator.email }
  await database.transaction(async (tx) => {
    if (sessionToken !== null) endOperatorSession(tx, sessionToken)
    auditIn(tx, { subject, before: { signedIn: true }, after: null })
  })
  setSession('')
  return { status: 'signed_out' }
}
