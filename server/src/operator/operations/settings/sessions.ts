import { timingSafeEqual } from 'node:crypto'
import { type OperatorSession, type operatorOperations, operatorRoles } from '@vitrine/contract/operator'
import { hashNewPassword } from '../../../features/accounts/index.ts'
import { maskedEmail } from '../../../features/orders/index.ts'
import { comparableEmail } from '../../../kernel/email.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import { addressForLimits } from '../../../platform/http/client-address.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import type { Operator, OperatorHandler, OperatorReadContext, OperatorSessionContext } from '../../door/handler.ts'
import { readSecondFactor, takeCode } from '../../door/second-factor-store.ts'
import {
  endOperatorSession,
  findOperator,
  insertOperator,
  lockOperatorById,
  lockOperators,
  type OperatorRow,
  openOperatorSession,
  operatorsExist,
} from '../../door/session-store.ts'
import type { IdentityProvider } from '../../door/sign-in/identity-provider.ts'

type Rows = typeof operatorOperations

export interface SessionDeps {
  readonly limiter: RateLimiter
  readonly keyring: Keyring
  readonly identityProvider: IdentityProvider | null
  /** The token of the setup link, valid until an operator exists. */
  /** A function, since its secret can be rotated. */
  setupToken(): string
}

/** GET /operator/v1/setup */
export function getSetupState({
  identityProvider,
}: Pick<SessionDeps, 'identityProvider'>): OperatorHandler<Rows['getSetupState']> {
  return async (_input, { reader }) => ({
    needed: !(await operatorsExist(reader)),
    ...(identityProvider && { provider: { label: identityProvider.label } }),
  })
}

/** POST /operator/v1/setup */
export function setUp({ setupToken }: SessionDeps): OperatorHandler<Rows['setUp']> {
  return async ({ body }, context) => {
    const { database, ids, now, setSession, actAs, auditIn } = context
    const { email, password } = body
    if (!timingSafeEqual(hashOfToken(body.setupToken), hashOfToken(setupToken()))) refuse('setup_token_invalid')
    const passwordHash = await hashNewPassword(password, email, 'password')
    const id = ids.next('opr')

    actAs({ id, email, role: 'owner', via: 'setup' })
    const session = await database.transaction(async (tx) => {
      await lockOperators(tx)
      if (await operatorsExist(tx)) refuse('setup_done')
      await insertOperator(tx, { id, email, role: 'owner', language: context.language, passwordHash, now })
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { email, role: 'owner' } })
      return openOperatorSession(tx, id, context)
    })

    setSession(session.token)
    return presentSession({ id, email, role: 'owner' }, session.expiresAt)
  }
}

/** POST /operator/v1/sessions */
export function signIn({ limiter, keyring }: SessionDeps): OperatorHandler<Rows['signIn']> {
  return async ({ body }, context) => {
    const { database, reader, now, address, sessionToken, setSession, knownDevice, rememberDevice, actAs, auditIn } =
      context
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
    const guessedBy = knownDevice(body.email) ?? accountKey(body.email)
    refuseOverLimit(await limiter.take('sign-in-account', guessedBy, now.getTime()))
    const found = await findOperator(reader, body.email)
    const matches = await matchesPassword(found?.password_hash ?? null, body.password)
    if (!found || !matches) {
      // The log is kept forever, and an unknown address may be that of a shopper.
      return refuseSignIn(context, found ?? { id: null, email: maskedEmail(body.email), role: 'read_only' })
    }
    const { id, email, role, store } = found

    actAs({ id, email, role, via: 'session' })
    const session = await database.transaction(async (tx) => {
      // The password was verified before: it may have been changed since.
      if ((await lockOperatorById(tx, id))?.password_hash !== found.password_hash) return null
      const proof = await takeCode(tx, { operatorId: id, code: body.code, now, keyring })
      if (proof === 'missing') refuse('second_factor_required')
      if (proof === 'passkey') refuse('passkey_required')
      if (proof === 'failed') return null
      if (sessionToken !== null) endOperatorSession(tx, sessionToken)
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { signedIn: true } })
      return openOperatorSession(tx, id, context)
    })

    if (session === null) return refuseSignIn(context, found)
    setSession(session.token)
    rememberDevice(email)
    return presentSession(await withNeeds(reader, { id, email, role, store }), session.expiresAt)
  }
}

/** Records a failed attempt, and refuses. */
async function refuseSignIn(
  { database, actAs, auditIn }: OperatorSessionContext,
  { id, email, role }: Pick<Operator, 'id' | 'email' | 'role'>,
): Promise<never> {
  actAs({ id, email, role, via: 'session' })
  const subject = { type: 'operator', id: id ?? 'unknown' }
  await database.transaction(async (tx) => auditIn(tx, { subject, before: null, after: { signedIn: false } }))
  refuse('sign_in_failed')
}

/** GET /operator/v1/session */
export const getSession: OperatorHandler<Rows['getSession']> = async (_input, { operator }) => {
  return presentSession(operator)
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

/** The operator, with the steps that are still required of them. */
export async function withNeeds<Who extends { readonly id: string }>(
  reader: Reader,
  who: Who,
): Promise<Who & Pick<Operator, 'needsSecondFactor' | 'hasSecondFactor'>> {
  const { hasOwn, isRequired } = await readSecondFactor(reader, who.id)
  return { ...who, needsSecondFactor: isRequired && !hasOwn, hasSecondFactor: hasOwn }
}

export const WRONG_PASSWORD = 'This is not your password.'

/**
 * Confirms the identity of the signed-in operator again. Refusals: `session_required`, `rate_limited`, `validation_failed`.
 *
 * @returns the operator, with the hash of the password
 */
export async function provePassword(
  limiter: RateLimiter,
  { reader, operator, now }: Pick<OperatorReadContext, 'reader' | 'operator' | 'now'>,
  field: string,
  password: string,
): Promise<OperatorRow> {
  const { id, email } = operator
  if (id === null) refuse('session_required')
  refuseOverLimit(await limiter.take('sign-in-account', provedKey(id), now.getTime()))
  const found = await findOperator(reader, email)
  const matches = await matchesPassword(found?.password_hash ?? null, password)
  return found && matches ? found : refuseWrong(field, WRONG_PASSWORD)
}

/** Refuses a field whose value is well-formed but wrong. */
export function refuseWrong(field: string, message: string): never {
  refuseField(field, 'wrong', message)
}

/** The key of the limits that count by account. */
export function accountKey(email: string): string {
  return `operator ${hashOfToken(comparableEmail(email)).toString('base64url')}`
}

/** The key of the limit for an operator with a session or a link: strangers who guess their password do not use it up. */
export function provedKey(operatorId: string): string {
  return `operator ${operatorId}`
}

/** The signed-in operator and their access. */
export function presentSession(
  { id, email, role, store, needsSecondFactor = false, hasSecondFactor = false }: Omit<Operator, 'via'>,
  expiresAt?: Date,
): OperatorSession {
  return {
    operator: { ...(id !== null && { id }), email, role, ...(store && { store: store.slug }) },
    access: operatorRoles[role],
    needsSecondFactor,
    hasSecondFactor,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  }
}
