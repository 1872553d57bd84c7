import { type Kysely, sql } from 'kysely'

/** Granting changes a row for each table, which two sessions must not do at the same time. */
const LOCK = 7_305_024

/**
 * Grants the role of the application the rights to read and write rows, if it does not own the tables. It cannot change the schema or
 * disable a trigger, and can only read and add entries of the audit log. The same rights are the default for later migrations.
 *
 * @param isChanged whether there may be new tables
 */
export async function grantRights(db: Kysely<unknown>, role: string, isChanged: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const { rows } = await sql<{ schema: string; role: string; granted: boolean }>`
      select quote_ident(current_schema()) as schema, quote_ident(${role}) as role,
        ${role} = current_user or (has_table_privilege(${role}, 'audit_log', 'select') and not ${isChanged}) as granted`.execute(
      tx,
    )
    const [found] = rows
    if (found?.granted === false) await sql.raw(rightsOf(found)).execute(tx)
  })
}

function rightsOf({ schema, role }: { readonly schema: string; readonly role: string }): string {
  return `
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage, select on all sequences in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role};
    alter default privileges in schema ${schema} grant usage, select on sequences to ${role};
    revoke update, delete on audit_log from ${role};
    revoke insert, update, delete on migrations, migrations_lock from ${role};`
}
