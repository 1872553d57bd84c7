import type { OperatorAccount, operatorOperations } from '@vitrine/contract/operator'
import { hashNewPassword } from '../../../features/accounts/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import {
  disableOperator,
  enableOperator,
  findOperatorAccount,
  listOperatorAccounts,
  type OperatorAccountRow,
  replacePassword,
} from '../../door/account-store.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { findOperator, insertOperator, lockOperators } from '../../door/session-store.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/operators */
const listOperators: OperatorHandler<Rows['listOperators']> = async (_input, { reader }) => {
  return { items: (await listOperatorAccounts(reader)).map(presentAccount) }
}

/** POST /operator/v1/operators */
const addOperator: OperatorHandler<Rows['addOperator']> = async ({ body }, { database, ids, now, auditIn }) => {
  const { email, password } = body
  const passwordHash = await hashNewPassword(password, email, 'password')
  const id = ids.next('opr')

  const created = await database.transaction(async (tx) => {
    if (!(await insertOperator(tx, { id, email, passwordHash, now }))) refuse('name_taken')
    auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { email } })
    return present(await findOperatorAccount(tx, id), 'just created')
  })

  return presentAccount(created)
}

/** PATCH /operator/v1/operators/{operatorId} */
const setOperatorStatus: OperatorHandler<Rows['setOperatorStatus']> = async ({ params, body }, context) => {
  const { tx, now, operator, audit } = context
  const { operatorId: id } = params
  const { status } = body
  // If two operators disable each other at once, the second request waits here and then sees the result of the first.
  await lockOperators(tx)
  const all = await listOperatorAccounts(tx)
  const current = presentAccount(all.find((each) => each.id === id) ?? refuse('not_found'))
  const othersRemain = all.some((each) => each.id !== id && !each.disabled_at)
  if (status === 'disabled' && (id === operator.id || !othersRemain)) {
    refuse('state_conflict', { conflict: { currentState: current.status, allowed: ['active'] } })
  }

  if (status === 'disabled' && current.status === 'active') disableOperator(tx, id, now)
  if (status === 'active' && current.status === 'disabled') enableOperator(tx, id)

  audit({
    subject: { type: 'operator', id },
    before: { status: current.status },
    after: { status, email: current.email },
  })
  return presentAccount(present(await findOperatorAccount(tx, id), 'held'))
}

/** POST /operator/v1/session/password */
function changeOwnPassword(limiter: RateLimiter): OperatorHandler<Rows['changeOwnPassword']> {
  return async ({ body }, { database, reader, now, operator, sessionToken, auditIn }) => {
    const { id, email } = operator
    if (id === null || sessionToken === null) refuse('session_required')
    const who = hashOfToken(email.toLowerCase()).toString('base64url')
    refuseOverLimit(await limiter.take('sign-in-account', `operator ${who}`, now.getTime()))
    const current = present(await findOperator(reader, email), 'who is signed in')
    if (!(await matchesPassword(current.password_hash, body.currentPassword))) refuseCurrent()
    const passwordHash = await hashNewPassword(body.newPassword, email, 'newPassword')

    const change = { before: { password: 'the old one' }, after: { password: 'a new one', otherSessions: 'ended' } }
    await database.transaction(async (tx) => {
      replacePassword(tx, { id, passwordHash, sessionToken })
      auditIn(tx, { subject: { type: 'operator', id }, ...change })
    })

    return { status: 'changed' }
  }
}

export function operatorAccountOperations({ limiter }: { readonly limiter: RateLimiter }) {
  return { listOperators, addOperator, setOperatorStatus, changeOwnPassword: changeOwnPassword(limiter) }
}

function refuseCurrent(): never {
  const message = 'This is not your password.'
  refuse('validation_failed', { details: [{ in: 'body', pointer: '/currentPassword', code: 'wrong', message }] })
}

function presentAccount({ id, email, created_at, disabled_at, last_used_at }: OperatorAccountRow): OperatorAccount {
  return {
    id,
    email,
    status: disabled_at ? 'disabled' : 'active',
    createdAt: created_at.toISOString(),
    ...(disabled_at && { disabledAt: disabled_at.toISOString() }),
    ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  }
}
