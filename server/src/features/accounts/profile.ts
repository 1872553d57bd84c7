import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sendMail } from '../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type Consent, type Customer, type CustomerSecret, saveConsent, savePassword } from './customer-store.ts'
import { closedMail, letterheadOf, type MailDeps, passwordChangedMail } from './mails.ts'
import { voidResets } from './password-reset-store.ts'
import { endSessions, openSession } from './sessions.ts'

/** A customer in their own view. */
export interface Profile extends Customer {
  readonly phone: string | null
  readonly marketing_consent: boolean
  readonly accepted_documents: readonly { readonly type: string; readonly version: string }[]
  readonly confirmed_at: Date
  readonly password_changed_at: Date
  readonly created_at: Date
  readonly updated_at: Date
  /** The history of the consent to marketing, oldest first. */
  readonly consents: readonly (Omit<Consent, 'at'> & { readonly at: string })[]
}

const find = statement<Profile>(
  'accounts.profile',
  `select id, email, first_name, last_name, phone, locale, status, marketing_consent, accepted_documents, confirmed_at,
     password_changed_at, created_at, updated_at,
     (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'is_given', is_given, 'source', source) order by at), '[]')
      from customer_consents where customer_id = customers.id) as consents
   from customers where id = $1 and status = 'active'`,
)
const save = statement(
  'accounts.save_profile',
  `update customers set first_name = $2, last_name = $3, phone = $4, locale = $5, updated_at = $6, version = version + 1
   where id = $1`,
)
const setConsent = statement(
  'accounts.set_consent',
  `update customers set marketing_consent = $2, updated_at = $3, version = version + 1
   where id = $1 and marketing_consent <> $2`,
)
const close = statement(
  'accounts.close',
  `update customers set status = 'blocked', closed_at = $2, email_key = 'closed ' || id, updated_at = $2, version = version + 1
   where id = $1 and status = 'active'`,
)
const forgetChanges = statement('accounts.forget_email_changes', 'delete from email_changes where customer_id = $1')

/** Loads the profile of an active customer. Refusals: `not_found`. */
export async function loadProfile(reader: Reader, customerId: string): Promise<Profile> {
  return (await reader.row(find, [customerId])) ?? refuse('not_found')
}

export function saveProfile(
  tx: Transaction,
  customerId: string,
  {
    firstName,
    lastName,
    phone,
    locale,
  }: {
    readonly firstName: string | null
    readonly lastName: string | null
    readonly phone: string | null
    readonly locale: string
  },
  now: Date,
): void {
  tx.write(save, [customerId, firstName, lastName, phone, locale, now], { rows: 1 })
}

/** Gives or withdraws the consent to marketing, and records when. Does nothing if the consent does not change. */
export async function setMarketingConsent(
  tx: Transaction,
  customerId: string,
  isGiven: boolean,
  now: Date,
  source: Consent['source'] = 'account',
): Promise<void> {
  if ((await tx.change(setConsent, [customerId, isGiven, now])) === 0) return
  saveConsent(tx, customerId, { isGiven, source, now })
}

interface ChangeContext {
  readonly ids: IdSource
  readonly now: Date
  readonly mails: MailDeps
}

/**
 * Changes the password of a customer who has proved the current one. Ends all sessions and customer tokens, and voids links for a new
 * password.
 *
 * Refusals: `credential_invalid` if the password was changed or the account blocked since.
 *
 * @returns a new session for the browser that changed it
 */
export async function changePassword(
  tx: Transaction,
  { id, email, locale, password_changed_at: provedOf }: CustomerSecret,
  passwordHash: string,
  { randomness, agent, ...context }: ChangeContext & { readonly randomness: Randomness; readonly agent: string | null },
): Promise<string> {
  const { ids, now, mails } = context
  if (!(await savePassword(tx, id, passwordHash, { now, provedOf }))) refuse('credential_invalid')
  endSessions(tx, id)
  voidResets(tx, id, now)
  const session = await openSession(tx, { id, password_changed_at: now }, { now, randomness, agent })
  sendMail(tx, passwordChangedMail(await letterheadOf(mails, tx), { email, locale }), { ids, now })
  return session ?? refuse('credential_invalid', { reason: 'the account was blocked a moment ago' })
}

/** Closes an account, once. Sign-in is no longer possible, and the address can register again. Orders are kept. */
export async function closeAccount(tx: Transaction, customer: Customer, context: ChangeContext): Promise<void> {
  const { ids, now, mails } = context
  if ((await tx.change(close, [customer.id, now])) === 0) return
  await setMarketingConsent(tx, customer.id, false, now)
  tx.write(forgetChanges, [customer.id])
  endSessions(tx, customer.id)
  voidResets(tx, customer.id, now)
  sendMail(tx, closedMail(await letterheadOf(mails, tx), customer), { ids, now })
}
