import { integrationAllows, type OperatorOperation, roleAllows, storeAllows } from '@vitrine/contract/operator'
import { refuse } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { Signed } from './authentication.ts'
import type { Download, Operator } from './handler.ts'

/**
 * Refuses a row that the role or the token does not allow; for one store, also a row that is not narrowed to stores.
 *
 * Refusals: `role_insufficient`, `access_insufficient`.
 */
export function refuseInsufficient(operator: Operator, row: OperatorOperation): void {
  const { role, integration, store } = operator
  const isAllowed = integration ? integrationAllows(integration.access, row) : roleAllows(role, row)
  if (!isAllowed || (store && !storeAllows(row))) refuseAccess(operator)
}

/** Refusals: `role_insufficient`; for tokens of integrations, `access_insufficient`. */
export function refuseAccess({ integration }: Pick<Operator, 'integration'>): never {
  return refuse(integration ? 'access_insufficient' : 'role_insufficient')
}

/**
 * The database of a request, whose transactions are refused once the session or the token has ended, or its role no longer suffices:
 * an upload may take 15 minutes.
 */
export function whileAllowed(database: Database, signed: Signed | null, row: OperatorOperation): Database {
  if (!signed) return database
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        await refuseEnded(tx, signed, row)
        return work(tx)
      }),
  }
}

const LINES_PER_CHECK = 500

/** The lines of a download, which breaks off once the session or the token has ended, or its role no longer suffices. */
export async function* linesWhileAllowed(
  lines: Download['lines'],
  { signed, row, reader }: { readonly signed: Signed | null; readonly row: OperatorOperation; readonly reader: Reader },
): AsyncGenerator<string | Buffer> {
  let count = 0
  for await (const line of lines) {
    count += 1
    if (signed && count % LINES_PER_CHECK === 0) await refuseEnded(reader, signed, row)
    yield line
  }
}

async function refuseEnded(tx: Reader, { operator, reload }: Signed, row: OperatorOperation): Promise<void> {
  const current = (await reload(tx)) ?? refuse('session_required')
  refuseInsufficient(current, row)
  if (current.store?.id !== operator.store?.id) refuseAccess(current)
}
