import { limits } from '@vitrine/contract'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { enqueue, type JobHandler } from '../../platform/jobs/index.ts'
import { sendMail } from '../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { confirmMail, knownMail, letterheadOf, type MailDeps } from './account-mails.ts'
import { findCustomerByEmail, insertCustomer } from './customer-store.ts'
import {
  answerRegistration,
  findRegistration,
  forgetRegistrations,
  insertRegistration,
  lockRegistration,
  lockWaitingRegistration,
  type NewRegistration,
  type Registration,
} from './registration-store.ts'
import { newToken } from './token.ts'

export const REGISTRATION_JOB = 'accounts.registration'
const HOUR_MS = 3_600_000
/** What one address is sent within an hour, whoever asks for it. */
const MAILS_PER_HOUR_MAX = 3

/** What somebody says of themselves. The password has been hashed. */
export type Registering = Omit<NewRegistration, 'id' | 'now' | 'expiresAt'>

/**
 * Writes down a wish to become a customer. It does not look whether the address is known, so neither its answer nor its
 * time can tell; a job looks afterwards, and the owner of the address gets one mail or another.
 */
export function register(tx: Transaction, wish: Registering, { ids, now }: { ids: IdSource; now: Date }): void {
  const id = ids.next('reg')
  const expiresAt = new Date(now.getTime() + limits.accounts.registrationSeconds * 1000)
  insertRegistration(tx, { ...wish, id, now, expiresAt })
  enqueue(tx, { kind: REGISTRATION_JOB, subject: id, runAt: now }, ids)
}

/** The job: a link that confirms the address, or, where it has a customer, word that somebody tried. */
export function answerRegistrations(house: MailDeps & { readonly randomness: Randomness }): JobHandler {
  return async ({ subject: id }, { database, now, ids }) => {
    await database.transaction(async (tx) => {
      const hourAgo = new Date(now.getTime() - HOUR_MS)
      const wish = await lockWaitingRegistration(tx, id, hourAgo)
      if (!wish) return
      const customer = await findCustomerByEmail(tx, wish.email)

      const mayWrite = wish.answered_lately < MAILS_PER_HOUR_MAX
      const opens = mayWrite && !customer ? newToken(house.randomness) : null

      const head = await letterheadOf(house, tx)
      answerRegistration(tx, id, now, opens?.hash ?? null)
      if (opens) sendMail(tx, confirmMail(head, wish, opens.token), { ids, now })
      if (mayWrite && customer) sendMail(tx, knownMail(head, customer, wish.locale), { ids, now })
    })
  }
}

/** The registration that a link belongs to, if it still works. */
export async function findOpenRegistration(reader: Reader, token: string, now: Date): Promise<Registration | null> {
  return openOf(await findRegistration(reader, hashOfToken(token)), now)
}

/**
 * Makes somebody a customer who has shown that the address is theirs. The link works once, and no other link for the
 * address works after it.
 *
 * Refusals: `reset_token_invalid` for a link that is unknown, used or too old.
 */
export async function confirmRegistration(
  tx: Transaction,
  token: string,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<{ readonly customerId: string }> {
  const wish = openOf(await lockRegistration(tx, hashOfToken(token)), now)
  if (!wish) refuse('reset_token_invalid')
  const customerId = ids.next('cus')
  const added = await insertCustomer(tx, {
    id: customerId,
    email: wish.email,
    passwordHash: wish.password_hash,
    firstName: wish.first_name,
    lastName: wish.last_name,
    locale: wish.locale,
    marketingConsent: wish.marketing_consent,
    acceptedDocuments: wish.accepted_documents,
    now,
  })
  if (!added) refuse('reset_token_invalid', { reason: 'the address has a customer' })
  forgetRegistrations(tx, wish.email)
  return { customerId }
}

function openOf(wish: Registration | undefined, now: Date): Registration | null {
  return wish && now < wish.expires_at ? wish : null
}
