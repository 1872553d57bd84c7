import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/**
 * Composes SQL whose text depends on the request. It has no connection: what it compiles is run by `Reader.run`, so that
 * there is one driver and one set of parsers. Tables and columns are checked by the tests that run the SQL.
 *
 * @example reader.run(queries.selectFrom('products').select(['id']).where('slug', '=', slug).compile())
 */
// biome-ignore lint/suspicious/noExplicitAny: rows get their type from the caller, where the query is composed
export const queries = new Kysely<any>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
