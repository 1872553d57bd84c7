import type { Environment } from '../../kernel/environment.ts'
import { refuseField } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { SITE } from '../storefront/index.ts'
import { isIban, spacedIban } from './bank-account.ts'

/** The bank account in the configuration. Used where operators have set none. */
export interface DefaultAccount {
  /** Free text. `null`: none. */
  readonly accounts: Readonly<Record<Environment, string | null>>
  /** `null`: all. */
  readonly currencies: readonly string[] | null
}

/** The scope of an account: a store and a currency, or the marketplace and a currency, for stores without an account. */
interface AccountScope {
  readonly environment: Environment
  readonly storeId: string | null
  readonly currency: string
}

/** An account as an operator enters it: with an IBAN, other details, or both. */
export interface AccountDetails {
  readonly holder: string
  readonly iban: string | null
  readonly bic: string | null
  readonly details: string | null
}

export interface NamedAccount extends AccountScope {
  readonly namedAt: Date
  /** `null`: it was removed. */
  readonly account: AccountDetails | null
}

interface Row {
  readonly environment: Environment
  readonly store_id: string | null
  readonly currency: string
  readonly holder: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly details: string | null
  readonly named_at: Date
}

const COLUMNS = 'environment, store_id, currency, holder, iban, bic, details, named_at'

const list = statement<Row>(
  'payments.list_accounts',
  `select ${COLUMNS} from bank_accounts where environment = $1 order by id desc limit 500`,
)
const newest = statement<Row>(
  'payments.newest_accounts',
  `select distinct on (store_id) ${COLUMNS} from bank_accounts
   where environment = $1 and currency = $2 and (store_id is null or store_id = any($3)) and named_at <= $4
   order by store_id, id desc`,
)
// Each row of `wanted` is a `TransferFor`.
const newestOfEach = statement<Row & { readonly nth: number }>(
  'payments.newest_accounts_of_each',
  `select wanted.nth, account.* from jsonb_to_recordset($1::jsonb)
     as wanted (nth integer, environment text, currency text, "storeIds" text[], at timestamptz)
   cross join lateral (
     select distinct on (store_id) ${COLUMNS} from bank_accounts
     where environment = wanted.environment and currency = wanted.currency
       and (store_id is null or store_id = any(wanted."storeIds")) and named_at <= wanted.at
     order by store_id, id desc) account`,
)
const anyOpen = statement<{ readonly some: boolean }>(
  'payments.any_account',
  `select exists (select from (select distinct on (store_id, currency) holder from bank_accounts
     where environment = $1 and currency = any($2) order by store_id, currency, id desc) each where holder is not null) as some`,
)
const insert = statement(
  'payments.name_account',
  `insert into bank_accounts (environment, store_id, currency, holder, iban, bic, details, named_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** The purchase that a transfer pays for. */
export interface TransferFor {
  readonly environment: Environment
  readonly currency: string
  /** The stores of all lines. */
  readonly storeIds: readonly string[]
  /** Accounts that were set later do not count. */
  readonly at: Date
}

/**
 * The account to pay to, as text for the shopper: the store's, else the marketplace's, else the one in the configuration. `null`
 * if there is none, and for stores with different accounts, because one transfer pays one account.
 *
 * @see docs/decisions/0097
 */
export async function transferAccount(
  reader: Reader,
  paid: TransferFor,
  defaults: DefaultAccount,
): Promise<string | null> {
  const [account = null] = await transferAccounts(reader, [paid], defaults)
  return account
}

/** The accounts of several purchases, like `transferAccount`, in one query. */
export async function transferAccounts(
  reader: Reader,
  purchases: readonly TransferFor[],
  defaults: DefaultAccount,
): Promise<readonly (string | null)[]> {
  const wanted = JSON.stringify(purchases.map((each, nth) => ({ ...each, nth })))
  const byPurchase = Map.groupBy(await reader.rows(newestOfEach, [wanted]), ({ nth }) => nth)
  return purchases.map(({ environment, currency, storeIds }, nth) => {
    const named = new Map(byPurchase.get(nth)?.map((row) => [row.store_id, accountOf(row)]))
    const marketplace = named.get(null)
    const fallback = marketplace ? textOf(marketplace) : configuredAccount(defaults, environment, currency)
    const texts = new Set(
      storeIds.map((id) => {
        const own = named.get(id)
        return own ? textOf(own) : fallback
      }),
    )
    const [text = null] = texts
    return texts.size === 1 ? text : null
  })
}

/** Whether any store has an account for bank transfers in one of the currencies. */
export async function takesTransfers(
  reader: Reader,
  environment: Environment,
  currencies: readonly string[],
  defaults: DefaultAccount,
): Promise<boolean> {
  if (currencies.some((currency) => configuredAccount(defaults, environment, currency) !== null)) return true
  return (await reader.row(anyOpen, [environment, currencies]))?.some === true
}

/** List the history of accounts, set and removed, newest first. */
export async function listNamedAccounts(reader: Reader, environment: Environment): Promise<readonly NamedAccount[]> {
  return (await reader.rows(list, [environment])).map(presentRow)
}

/** Find the account of a scope. */
export async function findNamedAccount(reader: Reader, scope: AccountScope, at: Date): Promise<AccountDetails | null> {
  const storeIds = scope.storeId === null ? [] : [scope.storeId]
  const rows = await reader.rows(newest, [scope.environment, scope.currency, storeIds, at])
  const row = rows.find(({ store_id }) => store_id === scope.storeId)
  return row ? accountOf(row) : null
}

/**
 * Set the account of a scope, or remove it (`null`). The previous one stays in the history.
 *
 * Refusals: `validation_failed` for an IBAN with wrong check digits, or without IBAN and details.
 */
export function nameAccount(tx: Transaction, scope: AccountScope, account: AccountDetails | null, now: Date): void {
  if (account && account.iban === null && account.details === null)
    refuseField('account/iban', 'required', 'Enter an IBAN or other bank details.')
  if (account?.iban != null && !isIban(account.iban))
    refuseField('account/iban', 'invalid', 'The check digits of this IBAN are wrong.')
  if (account?.bic != null && account.iban === null) refuseField('account/bic', 'invalid', 'A BIC needs an IBAN.')
  const { holder = null, iban = null, bic = null, details = null } = account ?? {}
  tx.write(insert, [scope.environment, scope.storeId, scope.currency, holder, iban, bic, details, now])
  bumpRevision(tx, SITE)
}

function configuredAccount({ accounts, currencies }: DefaultAccount, environment: Environment, currency: string) {
  return currencies === null || currencies.includes(currency) ? accounts[environment] : null
}

function accountOf({ holder, iban, bic, details }: Row): AccountDetails | null {
  return holder === null ? null : { holder, iban, bic, details }
}

/** The account as text, in the format that `bankAccountIn` reads. */
function textOf({ holder, iban, bic, details }: AccountDetails): string {
  return [holder, iban && `IBAN ${spacedIban(iban)}`, bic && `BIC ${bic}`, details].filter(Boolean).join('\n')
}

function presentRow(row: Row): NamedAccount {
  const { environment, store_id, currency, named_at } = row
  return { environment, storeId: store_id, currency, namedAt: named_at, account: accountOf(row) }
}
