import { limits } from '@vitrine/contract'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import { enqueue, type JobHandler } from '../../platform/jobs/index.ts'
import { sendMail } from '../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { findCustomerByEmail, insertCustomer } from './customer-store.ts'
import { accountExistsMail, confirmMail, letterheadOf, type MailDeps } from './mails.ts'
import {
  deleteRegistration,
  deleteRegistrations,
  findRegistration,
  insertRegistration,
  lockPendingRegistration,
  lockRegistration,
  markRegistrationProcessed,
  type NewRegistration,
  type Registration,
} from './registration-store.ts'
import { limitSignIn } from './sign-in.ts'
import { newToken } from './token.ts'

export const REGISTRATION_JOB = 'accounts.registration'
const HOUR_MS = 3_600_000
/** The maximum number of mails to one address per hour. */
const MAILS_PER_HOUR_MAX = 3

/** The input of a registration. The password is already hashed. */
type RegistrationInput = Omit<NewRegistration, 'id' | 'now' | 'expiresAt'>

/**
 * Stores a registration. It never checks whether the address is known, so neither the response nor its time reveals
 * it; a job checks later and sends the matching mail.
 */
export function register(tx: Transaction, input: RegistrationInput, { ids, now }: { ids: IdSource; now: Date }): void {
  const id = ids.next('reg')
  const expiresAt = new Date(now.getTime() + limits.accounts.registrationSeconds * 1000)
  insertRegistration(tx, { ...input, id, now, expiresAt })
  enqueue(tx, { kind: REGISTRATION_JOB, subject: id, runAt: now }, ids)
}

/** The job: mails a confirmation link, or a notice if the address already has a customer. */
export function registrationJob(deps: MailDeps & { readonly randomness: Randomness }): JobHandler {
  return async ({ subject: id }, { database, now, ids }) => {
    await database.transaction(async (tx) => {
      const hourAgo = new Date(now.getTime() - HOUR_MS)
      const registration = await lockPendingRegistration(tx, id, hourAgo)
      if (!registration) return
      if (registration.answered_lately >= MAILS_PER_HOUR_MAX) {
        deleteRegistration(tx, id)
        return
      }
      const customer = await findCustomerByEmail(tx, registration.email)
      const confirmation = customer ? null : newToken(deps.randomness)

      const head = await letterheadOf(deps, tx)
      markRegistrationProcessed(tx, id, now, confirmation?.hash ?? null)
      if (confirmation) sendMail(tx, confirmMail(head, registration, confirmation.token), { ids, now })
      if (customer) sendMail(tx, accountExistsMail(head, customer, registration.locale), { ids, now })
    })
  }
}

/** The registration of a token, if it can still be used. */
export async function findOpenRegistration(reader: Reader, token: string, now: Date): Promise<Registration | null> {
  return openOf(await findRegistration(reader, hashOfToken(token)), now)
}

/**
 * Verifies the password of a registration. If someone registered another person's address, its owner does not know the password:
 * the link alone must not activate the account. Takes about 30 ms: call it before the transaction.
 *
 * Refusals: `reset_token_invalid` for an unknown, used or expired link; `rate_limited`; `credential_invalid` for another
 * password.
 */
export async function verifyRegistrationPassword(
  reader: Reader,
  limiter: RateLimiter,
  attempt: { readonly token: string; readonly password: string; readonly address: string; readonly now: Date },
): Promise<void> {
  const { token, password, address, now } = attempt
  const registration = (await findOpenRegistration(reader, token, now)) ?? refuse('reset_token_invalid')
  await limitSignIn(limiter, { email: registration.email, address, now })
  if (!(await matchesPassword(registration.password_hash, password))) refuse('credential_invalid')
}

/**
 * Creates the customer of a confirmed registration. Deletes all registrations for the address, so no other link
 * works.
 *
 * Refusals: `reset_token_invalid` for an unknown, used or expired link.
 */
export async function confirmRegistration(
  tx: Transaction,
  token: string,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  const registration = openOf(await lockRegistration(tx, hashOfToken(token)), now)
  if (!registration) refuse('reset_token_invalid')
  const added = await insertCustomer(tx, {
    id: ids.next('cus'),
    email: registration.email,
    passwordHash: registration.password_hash,
    firstName: registration.first_name,
    lastName: registration.last_name,
    locale: registration.locale,
    marketingConsent: registration.marketing_consent,
    acceptedDocuments: registration.accepted_documents,
    now,
  })
  if (!added) refuse('reset_token_invalid', { reason: 'address already has a customer' })
  deleteRegistrations(tx, registration.email)
}

function openOf(registration: Registration | undefined, now: Date): Registration | null {
  return registration && now < registration.expires_at ? registration : null
}
