import { type Database, statement, type Transaction } from '../../server/src/platform/postgres/index.ts'

const waiting = statement<{ waits: boolean }>(
  'test.waits_for_lock',
  `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
)

/** Whether a session of this database waits for a lock. Sessions of other files, on the same server, do not count. */
export async function waitsForLock({ reader }: Database): Promise<boolean> {
  return (await reader.row(waiting))?.waits === true
}

/** Runs a change, and commits it only when another one, begun meanwhile, has ended or waits for it. @returns the result of the other */
export async function beforeCommit<Result>(
  database: Database,
  change: (tx: Transaction) => unknown,
  other: () => Promise<Result>,
): Promise<Result> {
  return database
    .transaction(async (tx) => {
      await change(tx)
      let isDone = false
      const result = other().finally(() => {
        isDone = true
      })
      result.catch(() => null)
      while (!isDone && !(await waitsForLock(database)));
      return { result }
    })
    .then(({ result }) => result)
}
