import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { isDerived, mac, type Secret } from '../../platform/secrets/rotating-secret.ts'
import { findCustomerRecord } from '../accounts/index.ts'
import { findCartOfSession } from '../carts/index.ts'
import { type Intent, intentOf } from '../payments/index.ts'
import type { OrderingDeps, TransferTerms } from './deps.ts'
import { extendHold, type Session } from './session.ts'
import { findSessionById, type LoadedSession, lockStoredSession, saveSession } from './session-store.ts'

// With invented email addresses, anyone could hold stock for days, repeatedly. Until the address is confirmed with the link in the
// mail, a session that waits for a bank transfer holds stock for a short time only.

/** The path of the confirmation page, which the mail links to. Of the data entered at checkout it shows only the email address. */
export const CONFIRM_TRANSFER_PATH = '/transfer/confirm'

/** The credentials in the confirmation link. Only the mail contains them. */
interface TransferAccess {
  readonly sessionId: string
  readonly token: string
}

/** A transfer for the confirmation page. */
export interface TransferToConfirm extends LoadedSession {
  readonly charge: Intent
  readonly hold: TransferHold
}

/** How long stock is held for a transfer. */
export interface TransferHold {
  /** Also `true` if no confirmation is required. */
  readonly isConfirmed: boolean
  /** The end of the hold once the address is confirmed. */
  readonly until: Date
}

/** The hold of a session that waits for a transfer. */
export function holdOf({ expiresAt }: Pick<Session, 'expiresAt'>, charge: Intent, terms: TransferTerms): TransferHold {
  const until = new Date(charge.createdAt.getTime() + terms.holdMs)
  return { isConfirmed: expiresAt >= until, until }
}

/**
 * How long a session that waits for a bank transfer holds stock at first, in milliseconds. A signed-in customer has already confirmed
 * the address of their account.
 */
export async function firstHold(
  reader: Reader,
  session: Pick<Session, 'id' | 'contact'>,
  { holdMs, unconfirmedMs }: TransferTerms,
  now: Date,
): Promise<number> {
  if (unconfirmedMs === null || unconfirmedMs >= holdMs) return holdMs
  const cart = await findCartOfSession(reader, session.id)
  const customer = cart?.customerId ? await findCustomerRecord(reader, cart.customerId, now) : null
  const isKnown = customer !== null && customer.email.toLowerCase() === session.contact?.email?.toLowerCase()
  return isKnown ? holdMs : unconfirmedMs
}

/** The confirmation link for the mail, to a page in the language of the mail. */
export function confirmTransferUrl(
  { pagesUrl, pageSecret }: Pick<OrderingDeps, 'pagesUrl' | 'pageSecret'>,
  session: Session,
  locale: string,
): string {
  const query = new URLSearchParams({ session: session.id, token: tokenOf(pageSecret, session), locale })
  return `${pagesUrl}${CONFIRM_TRANSFER_PATH}?${query}`
}

/** Derived from the charge and the address, so that an earlier mail does not confirm another address. */
function tokenOf(secret: Secret, { id, chargeId, contact }: Session): string {
  return mac(secret, JSON.stringify(['transfer', id, chargeId, contact?.email ?? ''])).toString('base64url')
}

/** Find the transfer of a confirmation link. `null` if the link is invalid or the session no longer waits for a transfer. */
export async function findTransferToConfirm(
  deps: Pick<OrderingDeps, 'pageSecret' | 'transfer'>,
  reader: Reader,
  { sessionId, token }: TransferAccess,
  now: Date,
): Promise<TransferToConfirm | null> {
  const loaded = await findSessionById(reader, sessionId, now)
  if (loaded?.session.status !== 'requires_action' || loaded.session.chargeId === null) return null
  const isOfSession = (each: Buffer) => Buffer.from(tokenOf(each, loaded.session))
  if (!isDerived(deps.pageSecret, Buffer.from(token), isOfSession)) return null
  const charge = await intentOf(reader, loaded.session.chargeId)
  return charge && { ...loaded, charge, hold: holdOf(loaded.session, charge, deps.transfer) }
}

/** Confirm the address, which extends the hold to its full time. A second click changes nothing. Refusals: `not_found`. */
export async function confirmTransferAddress(
  deps: Pick<OrderingDeps, 'pageSecret' | 'transfer'>,
  tx: Transaction,
  access: TransferAccess,
  now: Date,
): Promise<void> {
  if (!(await findTransferToConfirm(deps, tx, access, now))) refuse('not_found')
  await lockStoredSession(tx, access.sessionId)
  const { session, hold } = (await findTransferToConfirm(deps, tx, access, now)) ?? refuse('not_found')
  if (!hold.isConfirmed) saveSession(tx, extendHold(session, hold.until, now))
}
