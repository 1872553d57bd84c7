import { isDeepStrictEqual } from 'node:util'
import { type RefusalCode, refusals } from '@vitrine/contract'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  judgeCredential,
  type Presented,
  principalOf,
  readAuthorization,
  type StoredCredential,
} from '../../auth/authenticate.ts'
import type { Transaction } from '../../postgres/access.ts'
import { addressForLimits } from '../address.ts'
import type { Assumption, Exchange } from '../exchange.ts'

/**
 * Who is asking. A write goes by the credential as this process saw it last, until its transaction has looked: so it waits
 * once less for PostgreSQL. Nothing is refused and nothing is done by what was seen last alone.
 */
export async function authenticate(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { house, route, request } = exchange
  const presented = await countingGuesses(exchange, () => readAuthorization(request.headers.authorization))
  const decideBy = async (credential: StoredCredential | undefined) => {
    await countingGuesses(exchange, () => standBy(exchange, presented, credential))
    await next()
  }
  const { token } = presented
  const lastSeen = route.kind === 'W' ? house.credentials.lastSeen(token) : undefined
  if (!lastSeen) return decideBy(await house.credentials.find(token))

  const assumption: Assumption = { token, credential: lastSeen, isConfirmed: false, decideBy }
  exchange.assumption = assumption
  await unlessChanged(exchange, assumption, async () => {
    standBy(exchange, presented, lastSeen)
    await next()
  })
}

/** Decides what comes after the body has been read, and all of it again where the credential is not what it was assumed to be. */
export async function decideOnAssumption(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { assumption } = exchange
  if (!assumption) return next()
  const hasChanged = await unlessChanged(exchange, assumption, next)
  if (hasChanged) await next()
}

/** Looks at the credential in the transaction of what it is shown for. */
export async function confirmCredential({ house, assumption }: Exchange, tx: Transaction): Promise<void> {
  if (!assumption) return
  const credential = await house.credentials.find(assumption.token, tx)
  assumption.isConfirmed = isDeepStrictEqual(credential, assumption.credential)
  if (!assumption.isConfirmed) throw new CredentialChanged()
}

/** Undoes what a write has begun. It is done again. */
class CredentialChanged extends Error {
  override readonly name = 'CredentialChanged'
}

/**
 * Does work that goes by an assumed credential. Where the work is refused before that is confirmed, the refusal counts if
 * the credential is as it was assumed to be; if not, what came before the body is decided again.
 *
 * @returns whether it was
 */
async function unlessChanged(exchange: Exchange, assumption: Assumption, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (failure) {
    const isDecided = assumption.isConfirmed || !(failure instanceof Refusal)
    if (isDecided && !(failure instanceof CredentialChanged)) throw failure
    const credential = await exchange.house.credentials.find(assumption.token)
    if (failure instanceof Refusal && isDeepStrictEqual(credential, assumption.credential)) throw failure
    exchange.assumption = null
    await assumption.decideBy(credential)
    return true
  }
}

function standBy(exchange: Exchange, presented: Presented, credential: StoredCredential | undefined): void {
  const { house, now } = exchange
  const stored = judgeCredential(presented, credential, now)
  exchange.principal = principalOf(stored)
  exchange.origins = stored.origins
  house.noteUse(stored, now)
}

/** Whoever keeps guessing is stopped before long. A key that is known, and may not be used at the moment, is no guess. */
export async function countingGuesses<Result>(
  { house, address, now }: Exchange,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    if (failure instanceof Refusal && refusals[failure.code as RefusalCode].status === 401) {
      await house.limiter.take('auth-fail', addressForLimits(address), now.getTime())
    }
    throw failure
  }
}
