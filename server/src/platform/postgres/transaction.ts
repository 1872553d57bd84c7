import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { assert, present } from '../../kernel/assert.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ASKED_MAX, AskFirst } from './ask-first.ts'
import type { Answer, Sendable } from './batch.ts'
import { isSerializationFailure, isStalePlan, isTransactionAborted, RolledBack } from './errors.ts'
import { type Insertion, insertionOf } from './insertion.ts'
import { type Evidence, isCommitted, type LookupDeps, leaveMarker, markers } from './lost-commit.ts'
import type { Fact, OpenTransaction } from './reader.ts'
import type { Session } from './session.ts'
import { type Statement, statement } from './statement.ts'

const ATTEMPTS_MAX = 5

const begin = statement('transaction.begin', 'begin')
const markSavepoint = statement('transaction.savepoint', 'savepoint work')
const rollbackTo = statement('transaction.to_savepoint', 'rollback to savepoint work')
const commitNow = statement('transaction.commit', 'commit')
const rollBack = statement('transaction.roll_back', 'rollback')

interface TransactionDeps extends LookupDeps {
  open(): Promise<Session>
  /** A number in [0, 1) for jitter, so that two transactions do not collide again. */
  random(): number
  /** Called before a transaction is retried. */
  onRepetition(): void
}

/**
 * Runs `work` in a transaction, at most 5 times: it is retried after a serialization failure or deadlock (40001, 40P01) and
 * after a lost connection whose transaction was rolled back. It also runs again after each answer of an external service that it needs
 * ({@link AskFirst}). So `work` must have no effect outside its transaction.
 *
 * Errors: what `work` throws (rolled back, except writes before `savepointHere` if it is a refusal), the first failed
 * statement, {@link RolledBack}, {@link OutcomeUnknown}. Only after the last one may the change have happened.
 */
export async function runTransaction<Result>(
  deps: TransactionDeps,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  let asked = 0
  for (let attempt = 1; ; attempt += 1) {
    const ended = await attemptTransaction(deps, work)
    if ('result' in ended) return ended.result
    if ('thrown' in ended) {
      if (!(ended.thrown instanceof AskFirst) || asked === ASKED_MAX) throw ended.thrown
      // The connection has been released.
      await ended.thrown.ask()
      asked += 1
      attempt -= 1
      continue
    }
    if (ended.isOverdue) throw new RolledBack(ended.rolledBack)
    // A migration makes all connections stale. Each is replaced, and none counts.
    if (isStalePlan(ended.rolledBack)) attempt -= 1
    if (attempt === ATTEMPTS_MAX) throw new RolledBack(ended.rolledBack)
    deps.onRepetition()
    await pause(deps.random() * 2 ** attempt * 2)
  }
}

/** How one attempt ended: committed, failed, or rolled back and worth a retry unless it has taken too long already. */
type Ended<Result> =
  | { readonly result: Result }
  | { readonly thrown: unknown }
  | { readonly rolledBack: unknown; readonly isOverdue?: boolean }

/** A COMMIT that got no answer, and how the attempt ended if PostgreSQL has executed it. */
interface LostCommit<Result> {
  readonly evidence: Evidence
  readonly cause: unknown
  readonly isOverdue: boolean
  readonly success: Ended<Result>
}

async function attemptTransaction<Result>(
  deps: TransactionDeps,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Ended<Result>> {
  let session: Session
  try {
    session = await deps.open()
  } catch (error) {
    return { thrown: new RolledBack(error) }
  }
  const tx = new PipelinedTransaction(session)
  let ended: Ended<Result> | LostCommit<Result>
  try {
    ended = await finish(tx, await outcomeOf(work(tx)))
  } finally {
    // Before anything is looked up: a lost connection must not keep its place in the pool.
    session.release()
  }
  return 'evidence' in ended ? resolveLostCommit(deps, ended) : ended
}

async function outcomeOf<Result>(working: Promise<Result>): Promise<{ result: Result } | { thrown: unknown }> {
  try {
    return { result: await working }
  } catch (thrown) {
    return { thrown }
  }
}

async function finish<Result>(
  tx: PipelinedTransaction,
  outcome: { readonly result: Result } | { readonly thrown: unknown },
): Promise<Ended<Result> | LostCommit<Result>> {
  if ('result' in outcome) return commit(tx, outcome)
  const thrown = tx.firstFailure(outcome.thrown)
  if (thrown instanceof Refusal && tx.hasSavepoint && !tx.session.lost) {
    tx.rollbackToSavepoint()
    return commit(tx, { thrown })
  }
  await tx.rollback()
  const { lost, isOverdue } = tx.session
  return lost || isRetryable(thrown) ? { rolledBack: thrown, isOverdue } : { thrown }
}

function isRetryable(failure: unknown): boolean {
  return isSerializationFailure(failure) || isStalePlan(failure)
}

async function commit<Result>(
  tx: PipelinedTransaction,
  success: Ended<Result>,
): Promise<Ended<Result> | LostCommit<Result>> {
  const { session } = tx
  // A COMMIT that is not sent cannot be executed.
  if (session.lost) return { rolledBack: tx.failure, isOverdue: session.isOverdue }
  try {
    const answer = await tx.commit()
    if (answer.command === 'COMMIT') return success
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
    const failure = present(tx.failure, 'PostgreSQL rolled back a transaction without a failure')
    return isRetryable(failure) ? { rolledBack: failure } : { thrown: failure }
  } catch (error) {
    if (session.lost) return { evidence: tx.evidence, cause: error, isOverdue: session.isOverdue, success }
    // A write that was not awaited has failed, and PostgreSQL skipped the COMMIT.
    await tx.rollback()
    const failure = tx.firstFailure(error)
    return isRetryable(failure) ? { rolledBack: failure } : { thrown: failure }
  }
}

async function resolveLostCommit<Result>(
  deps: TransactionDeps,
  { evidence, cause, isOverdue, success }: LostCommit<Result>,
): Promise<Ended<Result>> {
  return (await isCommitted(deps, evidence, cause)) ? success : { rolledBack: cause, isOverdue }
}

class PipelinedTransaction implements OpenTransaction {
  readonly isTransaction = true
  readonly session: Session
  /** The first failure: all later statements fail because of it. */
  failure: unknown
  hasSavepoint = false
  /** The id of the marker of this attempt. */
  readonly #marker = randomUUID()
  #fact: Fact | null = null
  /** Rows that are inserted at the end. */
  readonly #added = new Map<Insertion, (readonly unknown[])[]>()
  #ended = false

  constructor(session: Session) {
    this.session = session
    // Not awaited: it is sent with the first statement of the work.
    void this.#send(begin)
  }

  /** The evidence that resolves a lost COMMIT. */
  get evidence(): Evidence {
    return this.#fact ?? this.#marker
  }

  resolveBy(fact: Fact): void {
    this.#fact = fact
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

  add(insertion: Insertion, row: readonly unknown[]): void {
    assert(!this.#ended, 'a transaction was used after its end')
    const rows = this.#added.get(insertion)
    if (rows) rows.push(row)
    else this.#added.set(insertion, [row])
  }

  #sendAdded(): void {
    if (this.#added.size === 0) return
    const { statement, values } = insertionOf(this.#added)
    this.#added.clear()
    void this.#send(statement, values)
  }

  change(statement: Statement, values: readonly unknown[]): Promise<number> {
    return this.#ask(statement, values, (answer) => answer.rowCount ?? 0)
  }

  /** The first failure, in place of the error of a later statement, which lacks the reason. */
  firstFailure(error: unknown): unknown {
    return isTransactionAborted(error) ? (this.failure ?? error) : error
  }

  savepointHere(): void {
    this.hasSavepoint = true
    this.#sendAdded()
    void this.#send(markSavepoint)
  }

  rollbackToSavepoint(): void {
    this.#added.clear()
    this.session.flush()
    void this.#send(rollbackTo)
  }

  commit(): Promise<Answer> {
    if (!this.#fact) {
      if (this.#added.size > 0) this.add(markers, [this.#marker])
      else void this.#send(leaveMarker, [this.#marker])
    }
    this.#sendAdded()
    const answer = this.#send(commitNow)
    this.#ended = true
    return answer
  }

  /** Rolls back. On a lost connection PostgreSQL does so itself. */
  async rollback(): Promise<void> {
    this.session.flush()
    const answer = this.session.send(rollBack)
    this.#ended = true
    await answer.catch((error: unknown) => {
      if (!this.session.lost) throw error
    })
  }

  /** Queries with a result that may go unawaited: a failure is recorded and aborts the transaction. */
  #ask<Value>(query: Sendable, values: readonly unknown[], read: (answer: Answer) => Value): Promise<Value> {
    const answer = this.#send(query, values).then(read)
    answer.catch(() => {})
    return answer
  }

  #send(query: Sendable, values?: readonly unknown[]): Promise<Answer> {
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
 * The same change, made to fail in PostgreSQL if it affects another number of rows: the check needs no result before the
 * COMMIT. The cast of a sentence to a number fails, and so puts the counts into the log.
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
