import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** An operator in the list of operators. */
export interface OperatorAccountRow {
  readonly id: string
  readonly email: string
  readonly created_at: Date
  readonly disabled_at: Date | null
  /** Known only while they are signed in. */
  readonly last_used_at: Date | null
}

const list = statement<OperatorAccountRow>(
  'operators.list',
  `select id, email, created_at, disabled_at,
     (select max(used_at) from operator_sessions where operator_id = operators.id) as last_used_at
   from operators where $1::text is null or id = $1 order by email_key limit $2`,
)
const setDisabled = statement('operators.set_disabled', 'update operators set disabled_at = $2 where id = $1')
const setPassword = statement('operators.set_password', 'update operators set password_hash = $2 where id = $1')
const endAll = statement('operators.end_sessions', 'delete from operator_sessions where operator_id = $1')
const endOthers = statement(
  'operators.end_other_sessions',
  'delete from operator_sessions where operator_id = $1 and token_hash <> $2',
)

const LIST_MAX = 1000

/** Operators by email address. */
export function listOperatorAccounts(reader: Reader): Promise<OperatorAccountRow[]> {
  return reader.rows(list, [null, LIST_MAX])
}

export function findOperatorAccount(reader: Reader, id: string): Promise<OperatorAccountRow | undefined> {
  return reader.row(list, [id, 1])
}

/** Disables an operator from `since` on and ends their sessions. */
export function disableOperator(tx: Transaction, id: string, since: Date): void {
  tx.write(setDisabled, [id, since])
  tx.write(endAll, [id])
}

export function enableOperator(tx: Transaction, id: string): void {
  tx.write(setDisabled, [id, null])
}

/** Changes the password of an operator and ends their other sessions. */
export function replacePassword(
  tx: Transaction,
  {
    id,
    passwordHash,
    sessionToken,
  }: { readonly id: string; readonly passwordHash: string; readonly sessionToken: string },
): void {
  tx.write(setPassword, [id, passwordHash])
  tx.write(endOthers, [id, hashOfToken(sessionToken)])
}
