import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/**
 * Composes SQL whose text depends on the request. It has no connection: `Reader.run` runs the compiled query, so that there is
 * one driver and one set of parsers. The tests that run the SQL check its tables and columns.
 *
 * @example reader.run(queries.selectFrom('products').select(['id']).where('slug', '=', slug).compile())
 */
// biome-ignore lint/suspicious/noExplicitAny: the caller that composes the query declares the type of its rows
export const queries = new Kysely<any>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
