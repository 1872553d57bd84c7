import type { OperatorPasskey, operatorOperations } from '@vitrine/contract/operator'
import { readSiteName } from '../../../features/storefront/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { addressForLimits } from '../../../platform/http/client-address.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import { findOperatorAccount } from '../../door/account-store.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import {
  endOperatorSession,
  lockOperatorById,
  noteSecondFactor,
  openOperatorSession,
} from '../../door/session-store.ts'
import { createChallenge, takeChallenge } from '../../door/sign-in/challenge-store.ts'
import {
  insertPasskey,
  listPasskeys,
  PASSKEYS_MAX,
  type PasskeyRow,
  removePasskey,
  takePasskey,
} from '../../door/sign-in/passkey-store.ts'
import {
  challengeIn,
  PASSKEY_ALGORITHMS,
  type RelyingParty,
  relyingParty,
  verifyNew,
} from '../../door/sign-in/passkeys.ts'
import { presentSession } from './sessions.ts'

type Rows = typeof operatorOperations

interface PasskeyDeps {
  readonly limiter: RateLimiter
  /** The URL of the console, which passkeys belong to. */
  readonly operatorUrl: string
}

/** GET /operator/v1/session/passkeys */
function listOwnPasskeys({ operatorUrl }: PasskeyDeps): OperatorHandler<Rows['listOwnPasskeys']> {
  return async (_input, { reader, operator }) => {
    const party = relyingParty(operatorUrl)
    const found = operator.id === null ? [] : await listPasskeys(reader, operator.id)
    return { isAvailable: party !== null, origin: party?.origin ?? operatorUrl, items: found.map(presentPasskey) }
  }
}

/** POST /operator/v1/session/passkeys/challenge */
function beginPasskey({ operatorUrl }: PasskeyDeps): OperatorHandler<Rows['beginPasskey']> {
  return async (_input, { database, reader, randomness, operator, now }) => {
    const operatorId = operator.id ?? refuse('session_required')
    const { id: rpId } = partyOf(operatorUrl)
    const [existing, rpName] = await Promise.all([listPasskeys(reader, operatorId), readSiteName(reader)])
    if (existing.length >= PASSKEYS_MAX) refuse('state_conflict', { conflict: { currentState: 'full' } })

    const asked = { purpose: 'passkey_new', operatorId, now } as const
    const challenge = await database.transaction(async (tx) => createChallenge(tx, asked, randomness))

    return {
      challenge,
      rpId,
      rpName,
      userId: Buffer.from(operatorId).toString('base64url'),
      userName: operator.email,
      algorithms: [...PASSKEY_ALGORITHMS],
      existing: existing.map(presentKnown),
    }
  }
}

/** POST /operator/v1/session/passkeys */
function registerPasskey({ operatorUrl }: PasskeyDeps): OperatorHandler<Rows['registerPasskey']> {
  return async ({ body }, { database, ids, operator, now, sessionToken, auditIn }) => {
    const operatorId = operator.id ?? refuse('session_required')
    const party = partyOf(operatorUrl)
    const challenge = challengeIn(body.clientDataJSON) ?? refuse('passkey_failed')
    const asked = { purpose: 'passkey_new', operatorId, now } as const
    const isOurs = await database.transaction((tx) => takeChallenge(tx, challenge, asked))
    const credential = isOurs ? await verifyNew(body, challenge, party) : null
    if (credential === null) return refuse('passkey_failed')

    const { name, transports } = body
    const passkey = { ...credential, id: ids.next('pky'), operatorId, rpId: party.id, name, transports, now }
    await database.transaction(async (tx) => {
      if (!(await lockOperatorById(tx, operatorId))) refuse('session_required')
      const isFull = (await listPasskeys(tx, operatorId)).length >= PASSKEYS_MAX
      if (isFull || !(await insertPasskey(tx, passkey)))
        refuse('state_conflict', { conflict: { currentState: 'full' } })
      if (sessionToken !== null) noteSecondFactor(tx, sessionToken)
      auditIn(tx, { subject: { type: 'operator', id: operatorId }, before: null, after: { passkey: name } })
    })

    return { id: passkey.id, name, isSynced: passkey.isSynced, createdAt: now.toISOString() }
  }
}

/** DELETE /operator/v1/session/passkeys/{passkeyId} */
const removeOwnPasskey: OperatorHandler<Rows['removeOwnPasskey']> = async ({ params }, { tx, operator, audit }) => {
  const { id } = operator
  const name = id === null ? undefined : await removePasskey(tx, params.passkeyId, id)
  if (id === null || name === undefined) return refuse('not_found')

  audit({ subject: { type: 'operator', id }, before: { passkey: name }, after: null })

  return { status: 'removed' }
}

/** POST /operator/v1/session/proof/challenge */
function beginPasskeyProof({ operatorUrl }: PasskeyDeps): OperatorHandler<Rows['beginPasskeyProof']> {
  return async (_input, { database, reader, randomness, operator, now }) => {
    const operatorId = operator.id ?? refuse('session_required')
    const { id: rpId } = partyOf(operatorUrl)
    const allowed = (await listPasskeys(reader, operatorId)).map(presentKnown)

    const asked = { purpose: 'passkey_proof', operatorId, now } as const
    const challenge = await database.transaction(async (tx) => createChallenge(tx, asked, randomness))

    return { challenge, rpId, allowed }
  }
}

/** POST /operator/v1/passkey-sessions/challenge */
function beginPasskeySignIn({ limiter, operatorUrl }: PasskeyDeps): OperatorHandler<Rows['beginPasskeySignIn']> {
  return async (_input, { database, randomness, now, address }) => {
    const { id: rpId } = partyOf(operatorUrl)
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))

    const asked = { purpose: 'passkey_sign_in', operatorId: null, now } as const
    const challenge = await database.transaction(async (tx) => createChallenge(tx, asked, randomness))

    return { challenge, rpId, allowed: [] }
  }
}

/** POST /operator/v1/passkey-sessions */
function signInWithPasskey({ limiter, operatorUrl }: PasskeyDeps): OperatorHandler<Rows['signInWithPasskey']> {
  return async ({ body }, context) => {
    const { database, now, address, sessionToken, setSession, actAs, auditIn } = context
    const party = partyOf(operatorUrl)
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))

    const signedIn = await database.transaction(async (tx) => {
      const taken = await takePasskey(tx, body, { purpose: 'passkey_sign_in', operatorId: null, now, party })
      const account = taken.operatorId === null ? undefined : await findOperatorAccount(tx, taken.operatorId)
      const found = account && (await lockOperatorById(tx, account.id))
      const isAccepted = taken.isAccepted && found !== undefined
      actAs({
        id: account?.id ?? null,
        email: account?.email ?? 'unknown',
        role: account?.role ?? 'read_only',
        via: 'session',
      })
      const subject = { type: 'operator', id: account?.id ?? 'unknown' }
      auditIn(tx, { subject, before: null, after: { signedIn: isAccepted, by: 'passkey' } })
      if (!isAccepted) return null
      if (sessionToken !== null) endOperatorSession(tx, sessionToken)
      return { found, session: openOperatorSession(tx, found.id, context) }
    })

    if (signedIn === null) return refuse('passkey_failed')
    const { found, session } = signedIn
    setSession(session.token)
    return presentSession({ ...found, hasSecondFactor: true }, session.expiresAt)
  }
}

export function passkeyOperations(deps: PasskeyDeps) {
  return {
    listOwnPasskeys: listOwnPasskeys(deps),
    beginPasskey: beginPasskey(deps),
    registerPasskey: registerPasskey(deps),
    removeOwnPasskey,
    beginPasskeyProof: beginPasskeyProof(deps),
    beginPasskeySignIn: beginPasskeySignIn(deps),
    signInWithPasskey: signInWithPasskey(deps),
  }
}

/** Refusals: `passkeys_unavailable`. */
export function partyOf(operatorUrl: string): RelyingParty {
  return relyingParty(operatorUrl) ?? refuse('passkeys_unavailable')
}

function presentPasskey({ id, name, is_synced, created_at, last_used_at }: PasskeyRow): OperatorPasskey {
  return {
    id,
    name,
    isSynced: is_synced,
    createdAt: created_at.toISOString(),
    ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  }
}

function presentKnown({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id.toString('base64url'), transports: [...transports] }
}
