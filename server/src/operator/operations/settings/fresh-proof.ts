import type { OperatorProof, operatorOperations, PasskeyAssertion } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { proofEnd, saveProof } from '../../door/fresh-proof.ts'
import type { Operator, OperatorHandler } from '../../door/handler.ts'
import { readSecondFactor, takeCode } from '../../door/second-factor-store.ts'
import { findOperator, noteSecondFactor } from '../../door/session-store.ts'
import type { IdentityProvider } from '../../door/sign-in/identity-provider.ts'
import { isBound } from '../../door/sign-in/identity-store.ts'
import { takePasskey } from '../../door/sign-in/passkey-store.ts'
import type { RelyingParty } from '../../door/sign-in/passkeys.ts'
import { partyOf } from './passkeys.ts'
import { provedKey, refuseWrong } from './sessions.ts'

type Rows = typeof operatorOperations

interface ProofDeps {
  readonly limiter: RateLimiter
  readonly keyring: Keyring
  readonly identityProvider: IdentityProvider | null
  /** The URL of the console, which passkeys belong to. */
  readonly operatorUrl: string
}

/** GET /operator/v1/session/proof */
function getOwnProof(deps: ProofDeps): OperatorHandler<Rows['getOwnProof']> {
  return async (_input, { reader, operator }) => present(reader, operator, operator.provedAt ?? null, deps)
}

/** POST /operator/v1/session/proof */
function proveOwnSession(deps: ProofDeps): OperatorHandler<Rows['proveOwnSession']> {
  return async ({ body: { password, code, passkey } }, context) => {
    const { database, reader, operator, now, sessionToken, auditIn } = context
    const { limiter, keyring, operatorUrl } = deps
    const { id, email } = operator
    if (id === null || sessionToken === null) return refuse('session_required')
    refuseOverLimit(await limiter.take('sign-in-account', provedKey(id), now.getTime()))
    const party = passkey && partyOf(operatorUrl)
    const found = await findOperator(reader, email)
    const matches = password !== undefined && (await matchesPassword(found?.password_hash ?? null, password))

    const subject = { type: 'operator', id }
    const wrong = await database.transaction(async (tx) => {
      const proof =
        passkey && party
          ? await provenBy(tx, passkey, { operatorId: id, now, party })
          : await takeCode(tx, { operatorId: id, code, now, keyring })
      const isProven = proof === 'off' ? matches : proof === 'passed'
      auditIn(tx, { subject, before: null, after: { proof: isProven ? 'given' : 'failed' } })
      if (isProven) saveProof(tx, sessionToken, now)
      if (isProven && proof === 'passed') noteSecondFactor(tx, sessionToken)
      if (isProven) return null
      if (proof === 'passkey') return 'passkey'
      return proof === 'off' ? 'password' : 'code'
    })

    if (wrong === 'passkey') refuse('passkey_failed')
    if (wrong === 'password') refuseWrong('password', 'This is not your password.')
    if (wrong === 'code') refuseWrong('code', 'The code does not match.')
    return present(reader, operator, now, deps)
  }
}

export function proofOperations(deps: ProofDeps) {
  return { getOwnProof: getOwnProof(deps), proveOwnSession: proveOwnSession(deps) }
}

/** The result of a passkey, in the form of the result of a code. */
async function provenBy(
  tx: Transaction,
  passkey: PasskeyAssertion,
  expected: { readonly operatorId: string; readonly now: Date; readonly party: RelyingParty },
): Promise<'passed' | 'passkey'> {
  const { isAccepted } = await takePasskey(tx, passkey, { ...expected, purpose: 'passkey_proof' })
  return isAccepted ? 'passed' : 'passkey'
}

async function present(
  reader: Reader,
  { id, email }: Operator,
  provedAt: Date | null,
  { identityProvider }: ProofDeps,
): Promise<OperatorProof> {
  if (id === null) return { methods: [] }
  const [factor, found, usesProvider] = await Promise.all([
    readSecondFactor(reader, id),
    findOperator(reader, email),
    identityProvider !== null && isBound(reader, id, identityProvider.issuer),
  ])
  const methods: OperatorProof['methods'] = factor.hasOwn
    ? [...(factor.passkeys > 0 ? (['passkey'] as const) : []), ...(factor.isOn ? (['code'] as const) : [])]
    : [...(found?.password_hash ? (['password'] as const) : []), ...(usesProvider ? (['provider'] as const) : [])]
  const validUntil = provedAt && proofEnd(provedAt).toISOString()
  return { methods, ...(validUntil !== null && { validUntil }) }
}
