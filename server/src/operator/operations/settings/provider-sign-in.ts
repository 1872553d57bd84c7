import type { operatorOperations } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import { addressForLimits } from '../../../platform/http/client-address.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import { endOperatorSessions, findOperatorAccount } from '../../door/account-store.ts'
import type { OperatorHandler, OperatorSessionContext } from '../../door/handler.ts'
import { readSecondFactor } from '../../door/second-factor-store.ts'
import { endOperatorSession, lockOperatorById, openOperatorSession } from '../../door/session-store.ts'
import { createChallenge, takeChallenge } from '../../door/sign-in/challenge-store.ts'
import { type IdentityProvider, NOT_COMPLETED, type ProviderAccount } from '../../door/sign-in/identity-provider.ts'
import { bindIdentity, findByIdentity, unbindIdentities } from '../../door/sign-in/identity-store.ts'
import { presentAccount } from './operators.ts'
import { presentSession } from './sessions.ts'

type Rows = typeof operatorOperations

interface ProviderSignInDeps {
  readonly limiter: RateLimiter
  /** `null`: operators sign in here. */
  readonly identityProvider: IdentityProvider | null
}

/** POST /operator/v1/provider-sessions/begin */
function beginProviderSignIn(deps: ProviderSignInDeps): OperatorHandler<Rows['beginProviderSignIn']> {
  return async ({ body }, { database, randomness, now, address }) => {
    const { limiter, identityProvider } = deps
    if (identityProvider === null) return refuse('provider_unavailable')
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))

    const asked = { purpose: 'provider', operatorId: null, now } as const
    const token = await database.transaction(async (tx) => createChallenge(tx, asked, randomness))

    return { token, url: await identityProvider.begin(token, { isFresh: body.isFresh, now }) }
  }
}

/** POST /operator/v1/provider-sessions */
function signInWithProvider(deps: ProviderSignInDeps): OperatorHandler<Rows['signInWithProvider']> {
  return async ({ body }, context) => {
    const { limiter, identityProvider } = deps
    const { database, now, address, sessionToken, setSession, actAs, auditIn } = context
    if (identityProvider === null) return refuse('provider_unavailable')
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
    const asked = { purpose: 'provider', operatorId: null, now } as const
    const isOurs = await database.transaction((tx) => takeChallenge(tx, body.token, asked))
    const account = isOurs ? await identityProvider.finish(body.token, body.query, now) : { why: NOT_COMPLETED }
    if ('why' in account) return refuseAnswer(context, account.why)

    const signedIn = await database.transaction(async (tx) => {
      const { operator, why } = await findByIdentity(tx, account, identityProvider.emailDomains)
      const found = operator && why === undefined ? await lockOperatorById(tx, operator.id) : undefined
      const email = operator?.email ?? account.verifiedEmail ?? 'unknown'
      actAs({ id: operator?.id ?? null, email, role: found?.role ?? 'read_only', via: 'session' })
      auditIn(tx, {
        subject: { type: 'operator', id: operator?.id ?? 'unknown' },
        before: null,
        after: { signedIn: found !== undefined, by: 'provider', ...(why !== undefined && { why }) },
      })
      if (!found) return null
      bindIdentity(tx, account, found.id, now)
      if (sessionToken !== null) endOperatorSession(tx, sessionToken)
      const { hasOwn, isRequired } = await readSecondFactor(tx, found.id)
      const trust = trustIn(account, hasOwn, now)
      const needsSecondFactor = trust.secondFactor === 'owed' && (hasOwn || isRequired)
      return { found, hasOwn, needsSecondFactor, session: openOperatorSession(tx, found.id, { ...context, ...trust }) }
    })

    if (signedIn === null) return refuse('operator_unknown')
    const { found, hasOwn: hasSecondFactor, needsSecondFactor, session } = signedIn
    setSession(session.token)
    return presentSession({ ...found, hasSecondFactor, needsSecondFactor }, session.expiresAt)
  }
}

/** Records an answer that is not accepted, and refuses. */
async function refuseAnswer({ database, actAs, auditIn }: OperatorSessionContext, why: string): Promise<never> {
  actAs({ id: null, email: 'unknown', role: 'read_only', via: 'session' })
  const subject = { type: 'operator', id: 'unknown' }
  const after = { signedIn: false, by: 'provider', why }
  await database.transaction(async (tx) => auditIn(tx, { subject, before: null, after }))
  refuse('provider_sign_in_failed')
}

/**
 * The state of a session that the provider opened. If the provider asked for no second factor, that of the operator is still
 * required. The session has a fresh proof from the time at which the provider authenticated the operator, but not in place of a
 * second factor. The clock of the provider may be ahead.
 */
export function trustIn(
  account: Pick<ProviderAccount, 'hasUsedTwoFactors' | 'authenticatedAt'>,
  hasOwn: boolean,
  now: Date,
) {
  const { hasUsedTwoFactors, authenticatedAt } = account
  const isProof = authenticatedAt !== null && (hasUsedTwoFactors || !hasOwn)
  return {
    secondFactor: hasUsedTwoFactors ? ('provider' as const) : ('owed' as const),
    provedAt: isProof ? new Date(Math.min(authenticatedAt.getTime(), now.getTime())) : null,
  }
}

/** POST /operator/v1/operators/{operatorId}/unbind */
const unbindOperator: OperatorHandler<Rows['unbindOperator']> = async ({ params }, { tx, audit }) => {
  const { operatorId: id } = params
  if (!(await findOperatorAccount(tx, id))) refuse('not_found')
  if (!(await unbindIdentities(tx, id))) refuse('state_conflict', { conflict: { currentState: 'not_bound' } })

  endOperatorSessions(tx, id)
  audit({ subject: { type: 'operator', id }, before: { provider: 'bound' }, after: { provider: 'forgotten' } })

  return presentAccount((await findOperatorAccount(tx, id)) ?? refuse('not_found'))
}

export function providerSignInOperations(deps: ProviderSignInDeps) {
  return {
    beginProviderSignIn: beginProviderSignIn(deps),
    signInWithProvider: signInWithProvider(deps),
    unbindOperator,
  }
}
