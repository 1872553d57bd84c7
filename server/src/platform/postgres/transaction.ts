import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { assert, present } from '../../kernel/assert.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Answer, Sendable } from './batch.ts'
import { isSerializationFailure, isStalePlan, isTransactionAborted, OutcomeUnknown, RolledBack } from './errors.ts'
import type { OpeningRow, OpenTransaction } from './reader.ts'
import type { Session } from './session.ts'
import { type Statement, statement } from './statement.ts'

const ATTEMPTS_MAX = 5
/** Waits between looks at how a lost COMMIT ended. Milliseconds; 4 s together. */
const LOOK_AGAIN_MS = [0, 20, 50, 100, 200, 400, 800, 1200, 1230]
/** From this look on, our lost connection is ended in PostgreSQL, so that the answer can come. */
const END_IT_FROM_LOOK = 4

const begin = statement('transaction.begin', 'begin')
const readId = statement<OpeningRow>('transaction.id', 'select pg_current_xact_id()::text as transaction_id')
const markSavepoint = statement('transaction.savepoint', 'savepoint work')
const toSavepoint = statement('transaction.to_savepoint', 'rollback to savepoint work')
const commitNow = statement('transaction.commit', 'commit')
const rollBack = statement('transaction.roll_back', 'rollback')
const readStatus = statement<{ status: 'in progress' | 'committed' | 'aborted' | null }>(
  'transaction.status',
  'select pg_xact_status($1::text::xid8) as status',
)
const endBackend = statement(
  'transaction.end_backend',
  'select pg_terminate_backend(pid) from pg_stat_activity where backend_xid = ($1::text::xid8)::xid',
)

export interface TransactionDeps {
  open(): Promise<Session>
  /** A number in [0, 1), so that two that collided do not meet again. */
  random(): number
  /** Told before a transaction is done again. */
  onRepetition(): void
}

/**
 * Runs `work` in a transaction, and again where PostgreSQL asks for that: at most 5 times after a collision (40001, 40P01)
 * or a lost connection whose transaction is known to be undone. So `work` must do nothing but use its transaction.
 *
 * Errors: what `work` throws (undone, except what a refusal keeps before `savepointHere`), the first failed statement,
 * {@link RolledBack}, {@link OutcomeUnknown}. Only the last leaves it open whether the change happened.
 */
export async function runTransaction<Result>(
  house: TransactionDeps,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const ended = await attemptTransaction(house, work)
    if ('result' in ended) return ended.result
    if ('thrown' in ended) throw ended.thrown
    if (attempt === ATTEMPTS_MAX) throw new RolledBack(ended.undone)
    house.onRepetition()
    await pause(house.random() * 2 ** attempt * 2)
  }
}

/** How one attempt ended: done, refused for good, or undone and worth another. */
type Ended<Result> = { readonly result: Result } | { readonly thrown: unknown } | { readonly undone: unknown }

async function attemptTransaction<Result>(
  house: TransactionDeps,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Ended<Result>> {
  let session: Session
  try {
    session = await house.open()
  } catch (error) {
    return { thrown: new RolledBack(error) }
  }
  const tx = new PipelinedTransaction(session)
  try {
    return await finish(house, tx, await outcomeOf(work(tx)))
  } finally {
    session.release()
  }
}

async function outcomeOf<Result>(working: Promise<Result>): Promise<{ result: Result } | { thrown: unknown }> {
  try {
    return { result: await working }
  } catch (thrown) {
    return { thrown }
  }
}

async function finish<Result>(
  house: TransactionDeps,
  tx: PipelinedTransaction,
  outcome: { readonly result: Result } | { readonly thrown: unknown },
): Promise<Ended<Result>> {
  if ('result' in outcome) return commit(house, tx, outcome)
  const thrown = tx.firstFailure(outcome.thrown)
  if (thrown instanceof Refusal && tx.hasSavepoint && !tx.session.lost) {
    tx.undoToSavepoint()
    return commit(house, tx, { thrown })
  }
  await tx.rollback()
  return tx.session.lost || isWorthAnother(thrown) ? { undone: thrown } : { thrown }
}

function isWorthAnother(failure: unknown): boolean {
  return isSerializationFailure(failure) || isStalePlan(failure)
}

async function commit<Result>(
  house: TransactionDeps,
  tx: PipelinedTransaction,
  success: Ended<Result>,
): Promise<Ended<Result>> {
  const { session } = tx
  let id: string | undefined
  try {
    // Known since the first answer. Where nothing was awaited, this is the one wait that lets a lost COMMIT be resolved.
    id = await tx.id
    if (session.lost) return { undone: tx.failure }
    const answer = await tx.commit()
    if (answer.command === 'COMMIT') return success
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
    const failure = present(tx.failure, 'PostgreSQL rolled back a transaction without a failure')
    return isWorthAnother(failure) ? { undone: failure } : { thrown: failure }
  } catch (error) {
    if (session.lost) return id === undefined ? { undone: error } : resolveLostCommit(house, id, error, success)
    // A write that nobody waited for failed, so that the COMMIT behind it was passed over.
    await tx.rollback()
    const failure = tx.firstFailure(error)
    return isWorthAnother(failure) ? { undone: failure } : { thrown: failure }
  }
}

/** Asks PostgreSQL, on another connection, how a transaction ended whose COMMIT got no answer. */
async function resolveLostCommit<Result>(
  house: TransactionDeps,
  id: string,
  cause: unknown,
  success: Ended<Result>,
): Promise<Ended<Result>> {
  for (const [look, waitMs] of LOOK_AGAIN_MS.entries()) {
    await pause(waitMs)
    const status = await lookUp(house, id, look >= END_IT_FROM_LOOK)
    if (status === 'committed') return success
    if (status === 'aborted') return { undone: cause }
    if (status === 'forgotten') break
  }
  return { thrown: new OutcomeUnknown(id, cause) }
}

async function lookUp(house: TransactionDeps, id: string, endIt: boolean) {
  let session: Session
  try {
    session = await house.open()
  } catch {
    return 'unreachable'
  }
  try {
    if (endIt) await session.rows(endBackend, [id])
    const [row] = await session.rows(readStatus, [id])
    return row?.status ?? 'forgotten'
  } catch (error) {
    if (session.lost) return 'unreachable'
    throw error
  } finally {
    session.release()
  }
}

class PipelinedTransaction implements OpenTransaction {
  readonly isTransaction = true
  readonly session: Session
  /** The first statement that failed: what follows it fails for that reason alone. */
  failure: unknown
  hasSavepoint = false
  #id: Promise<string> | null = null
  #ended = false

  constructor(session: Session) {
    this.session = session
    // Not waited for: it travels with the first statement of the work.
    void this.#issue(begin)
  }

  /** By which a lost COMMIT is looked up. */
  get id(): Promise<string> {
    this.#id ??= this.#idOf(this.#issue(readId))
    return this.#id
  }

  async opening<Row extends OpeningRow>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row> {
    assert(this.#id === null, 'a transaction is opened by its first statement')
    const answer = this.#issue(statement, values)
    this.#id = this.#idOf(answer)
    return (await answer).rows[0] as Row
  }

  rows<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#ask(statement, values, (answer) => answer.rows as Row[])
  }

  row<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row | undefined> {
    return this.#ask(statement, values, (answer) => answer.rows[0] as Row | undefined)
  }

  run<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return this.#ask({ text: query.sql }, query.parameters, (answer) => answer.rows as Row[])
  }

  write(statement: Statement, values: readonly unknown[], expect?: { readonly rows: number }): void {
    if (expect) void this.#send(withExpectedRows(statement, values.length), [...values, expect.rows])
    else void this.#send(statement, values)
  }

  change(statement: Statement, values: readonly unknown[]): Promise<number> {
    return this.#ask(statement, values, (answer) => answer.rowCount ?? 0)
  }

  /** A statement behind a failure fails as well, and without saying why: the failure before it does. */
  firstFailure(error: unknown): unknown {
    return isTransactionAborted(error) ? (this.failure ?? error) : error
  }

  savepointHere(): void {
    this.hasSavepoint = true
    void this.#send(markSavepoint)
  }

  undoToSavepoint(): void {
    this.session.flush()
    void this.#send(toSavepoint)
  }

  commit(): Promise<Answer> {
    const answer = this.#send(commitNow)
    this.#ended = true
    return answer
  }

  /** Undoes everything. Where the connection is lost PostgreSQL does it by itself. */
  async rollback(): Promise<void> {
    this.session.flush()
    const answer = this.session.send(rollBack)
    this.#ended = true
    await answer.catch((error: unknown) => {
      if (!this.session.lost) throw error
    })
  }

  /** Asks, with an answer that its asker may leave: its failure is remembered here and ends the transaction. */
  #ask<Value>(query: Sendable, values: readonly unknown[], read: (answer: Answer) => Value): Promise<Value> {
    const answer = this.#send(query, values).then(read)
    answer.catch(() => {})
    return answer
  }

  #send(query: Sendable, values?: readonly unknown[]): Promise<Answer> {
    void this.id
    return this.#issue(query, values)
  }

  #idOf(opened: Promise<Answer>): Promise<string> {
    const id = opened.then(({ rows }) => present(rows[0], 'a row opens').transaction_id as string)
    id.catch(() => {})
    return id
  }

  #issue(query: Sendable, values?: readonly unknown[]): Promise<Answer> {
    assert(!this.#ended, 'a transaction was used after its end')
    const answer = this.session.send(query, values)
    answer.catch((error: unknown) => {
      this.failure ??= error
    })
    return answer
  }
}

const expecting = new WeakMap<Statement, Statement>()

/**
 * The same change, failing in PostgreSQL where it touches another number of rows: so that the check needs no answer
 * before the COMMIT. The cast of a sentence to a number is the failure, and carries the figures into our log.
 */
function withExpectedRows(change: Statement, valueCount: number): Statement {
  const known = expecting.get(change)
  if (known) return known
  const expected = `$${valueCount + 1}::bigint`
  const returning = /\breturning\b/i.test(change.text) ? '' : ' returning 1'
  const checked = statement(
    `${change.name} expecting`,
    `with touched as (${change.text}${returning})
     select case when count(*) = ${expected} then count(*)
       else ('${change.name} touched ' || count(*) || ' rows, not ' || ${expected})::bigint end
     from touched`,
  )
  expecting.set(change, checked)
  return checked
}
