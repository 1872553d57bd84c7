import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../kernel/assert.ts'
import { OutcomeUnknown } from './errors.ts'
import { insertion } from './insertion.ts'
import type { Fact, Reader } from './reader.ts'
import type { Session } from './session.ts'
import { SWEEP_BATCH, statement } from './statement.ts'

/** The evidence that resolves a lost COMMIT: a fact that the transaction has written anyway, or the id of its marker. */
export type Evidence = Fact | string

export interface LookupDeps {
  /** Opens a connection from a separate pool: those for transactions may all be lost or in use. */
  openForLookup(): Promise<Session>
  /** The maximum duration of a lookup. */
  readonly lookupMs: number
}

/** The delays between attempts. Milliseconds. */
const DELAYS_MS = [0, 20, 50, 100, 200, 400, 800]

/**
 * Leaves a marker in the transaction, sent with its COMMIT. A transaction that changed nothing leaves none and costs nothing: each
 * idle worker begins one every second.
 */
export const leaveMarker = statement(
  'transaction.leave_marker',
  'insert into commit_markers (id, created_at) select $1::uuid, now() where pg_current_xact_id_if_assigned() is not null',
)
/** The marker of a transaction that adds rows at its end. */
export const markers = insertion(
  'marker',
  { id: 'uuid' },
  'marked as (insert into commit_markers (id, created_at) select id, now() from ROWS)',
)

const begin = statement('lookup.begin', 'begin')
const commit = statement('lookup.commit', 'commit')
const rollBack = statement('lookup.roll_back', 'rollback')
// Waits for a transaction in progress that has left this marker. A void marker stays: the late transaction fails on it.
const voidMarker = statement(
  'lookup.void_marker',
  'insert into commit_markers (id, is_void, created_at) values ($1, true, now()) on conflict do nothing',
)
const readMarker = statement<{ is_void: boolean }>(
  'lookup.read_marker',
  'select is_void from commit_markers where id = $1',
)

/** Deletes markers older than the interval $1, by the clock that wrote them. */
export const sweepMarkers = statement(
  'lookup.sweep_markers',
  `delete from commit_markers where ctid = any (array (
     select ctid from commit_markers where created_at < now() - $1::interval limit ${SWEEP_BATCH}))`,
)
/** A transaction is looked up within seconds of its COMMIT. */
export const MARKER_RETENTION = '1 hour'

/**
 * Determines the outcome of a transaction whose COMMIT got no answer.
 *
 * The id of a transaction proves nothing: after a crash, or on a standby that was behind, PostgreSQL assigns the ids of lost
 * transactions again. A row that the transaction wrote proves that it committed. A missing row proves the opposite only once it
 * cannot be written any more: so the lookup writes it itself, which waits for a transaction in progress.
 *
 * @returns whether it committed
 *
 * Errors: {@link OutcomeUnknown} if PostgreSQL does not answer in time, such as while the COMMIT waits for a standby.
 */
export async function isCommitted(
  { openForLookup, lookupMs }: LookupDeps,
  evidence: Evidence,
  cause: unknown,
): Promise<boolean> {
  const endsAt = performance.now() + lookupMs
  let failure: unknown
  for (let attempt = 0; performance.now() < endsAt; attempt += 1) {
    await pause(DELAYS_MS[Math.min(attempt, DELAYS_MS.length - 1)])
    try {
      return await ask(openForLookup, evidence)
    } catch (error) {
      // The outcome is still open: PostgreSQL is unreachable or recovers, or the transaction is still in progress.
      failure = error
    }
  }
  throw new OutcomeUnknown(new AggregateError([cause, failure], 'a COMMIT was lost, and could not be looked up'))
}

async function ask(open: () => Promise<Session>, evidence: Evidence): Promise<boolean> {
  const session = await open()
  try {
    session.send(begin).catch(() => {})
    return await (typeof evidence === 'string' ? askForMarker(session, evidence) : askForFact(session, evidence))
  } finally {
    session.release()
  }
}

async function askForMarker(session: Session, id: string): Promise<boolean> {
  const reading = Promise.all([session.rows(voidMarker, [id]), session.rows(readMarker, [id]), session.send(commit)])
  try {
    const [, [row]] = await reading
    return !present(row, 'a marker that was just written').is_void
  } catch (error) {
    session.send(rollBack).catch(() => {})
    throw error
  }
}

async function askForFact(session: Session, fact: Fact): Promise<boolean> {
  const reader: Reader = {
    rows: (statement, values) => session.rows(statement, values),
    row: async (statement, values) => (await session.rows(statement, values))[0],
    run: (query) => session.run(query),
  }
  try {
    return await fact(reader)
  } finally {
    session.send(rollBack).catch(() => {})
  }
}
