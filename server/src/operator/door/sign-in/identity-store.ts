import { comparableEmail } from '../../../kernel/email.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { ProviderAccount } from './identity-provider.ts'

interface BoundRow {
  readonly id: string
  readonly email: string
  readonly is_disabled: boolean
  /** Bound to this account at the provider; otherwise found by the email address. */
  readonly is_bound: boolean
  /** Bound to another account at the provider. */
  readonly is_others: boolean
}

const COLUMNS = 'operators.id, operators.email, disabled_at is not null as is_disabled'
const bound = statement<BoundRow>(
  'operators.by_identity',
  `select ${COLUMNS}, true as is_bound, false as is_others
   from operator_identities identity join operators on operators.id = identity.operator_id
   where identity.issuer = $1 and identity.subject = $2`,
)
const byEmail = statement<BoundRow>(
  'operators.by_email_for_identity',
  `select ${COLUMNS}, false as is_bound,
     exists (select from operator_identities where operator_id = operators.id and issuer = $2) as is_others
   from operators where email_key = $1 for update`,
)
const bind = statement(
  'operators.bind_identity',
  `insert into operator_identities (issuer, subject, operator_id, bound_at, last_used_at) values ($1, $2, $3, $4, $4)
   on conflict (issuer, subject) do update set last_used_at = excluded.last_used_at`,
)
const unbind = statement('operators.unbind_identities', 'delete from operator_identities where operator_id = $1')
const isBoundTo = statement(
  'operators.is_bound_to',
  'select from operator_identities where operator_id = $1 and issuer = $2',
)

/** Why an account at the provider cannot sign in. For the audit log. */
export type Unknown = 'email_not_verified' | 'email_domain' | 'no_operator' | 'another_account' | 'disabled'

/** Finds the operator of an account: by issuer and subject, the first time by the verified email address. */
export async function findByIdentity(
  tx: Transaction,
  { issuer, subject, verifiedEmail }: ProviderAccount,
  emailDomains: readonly string[],
): Promise<{ readonly operator?: BoundRow; readonly why?: Unknown }> {
  if (emailDomains.length > 0 && !emailDomains.includes(domainOf(verifiedEmail))) {
    return { why: verifiedEmail === null ? 'email_not_verified' : 'email_domain' }
  }
  const known = await tx.row(bound, [issuer, subject])
  if (known) return known.is_disabled ? { operator: known, why: 'disabled' } : { operator: known }
  if (verifiedEmail === null) return { why: 'email_not_verified' }
  const invited = await tx.row(byEmail, [comparableEmail(verifiedEmail), issuer])
  if (!invited) return { why: 'no_operator' }
  if (invited.is_others) return { operator: invited, why: 'another_account' }
  return invited.is_disabled ? { operator: invited, why: 'disabled' } : { operator: invited }
}

function domainOf(email: string | null): string {
  return email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? ''
}

/** Binds an account at the provider to its operator, or notes its use. */
export function bindIdentity(
  tx: Transaction,
  { issuer, subject }: ProviderAccount,
  operatorId: string,
  now: Date,
): void {
  tx.write(bind, [issuer, subject, operatorId, now])
}

/** False if nothing was bound. */
export async function unbindIdentities(tx: Transaction, operatorId: string): Promise<boolean> {
  return (await tx.change(unbind, [operatorId])) > 0
}

export async function isBound(reader: Reader, operatorId: string, issuer: string): Promise<boolean> {
  return Boolean(await reader.row(isBoundTo, [operatorId, issuer]))
}
