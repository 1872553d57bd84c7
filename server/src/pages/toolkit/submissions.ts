import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { keyring } from '../../platform/secrets/keyring.ts'
import type { Redirect } from './page-route.ts'

/** How long the same form counts as a second click. */
const SECOND_CLICK_MS = 10_000
const PLACE = 'form_submissions'

/** A submitted form, identified without its content. @see docs/decisions/0179-answer-a-second-click.md */
interface Submission {
  readonly tokenHash: Buffer
  readonly fingerprint: Buffer
  /** Encrypts the answer, which has session cookies and codes. Only the browser can derive it. */
  readonly key: Buffer
}

interface Row {
  readonly fingerprint: Buffer
  readonly answer: Buffer
  readonly created_at: Date
}

const lock = statement(
  'submissions.lock',
  `select pg_advisory_xact_lock(hashtextextended('form ' || encode($1::bytea, 'hex'), 0))`,
)
const find = statement<Row>(
  'submissions.find',
  'select fingerprint, answer, created_at from form_submissions where token_hash = $1',
)
const save = statement(
  'submissions.save',
  `insert into form_submissions (token_hash, fingerprint, answer, created_at) values ($1, $2, $3, $4)
   on conflict (token_hash) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
)

/** The submission of a form; `null` without a form token. */
export function submissionOf(formToken: unknown, url: string, body: unknown): Submission | null {
  if (typeof formToken !== 'string' || typeof body !== 'string') return null
  return {
    tokenHash: createHash('sha256').update(formToken).digest(),
    fingerprint: createHmac('sha256', formToken).update(`${url}\n${body}`).digest(),
    key: Buffer.from(hkdfSync('sha256', formToken, '', PLACE, 32)),
  }
}

/** The answer to the first click if this is the second one. Forms of one browser run one after the other from here on. */
export async function lockSubmission(
  tx: Transaction,
  submission: Submission,
  context: { readonly now: Date; readonly randomness: Randomness },
): Promise<Redirect | null> {
  tx.write(lock, [submission.tokenHash])
  return findAnswer(tx, submission, context)
}

/** The answer to the first click if this is the second one. */
export async function findAnswer(
  reader: Reader,
  { tokenHash, fingerprint, key }: Submission,
  { now, randomness }: { readonly now: Date; readonly randomness: Randomness },
): Promise<Redirect | null> {
  const last = await reader.row(find, [tokenHash])
  if (!last?.fingerprint.equals(fingerprint)) return null
  if (now.getTime() - last.created_at.getTime() > SECOND_CLICK_MS) return null
  const ring = keyring([key], randomness)
  return JSON.parse(ring.open({ keyId: ring.keyId, bytes: last.answer }, PLACE).toString()) as Redirect
}

/** Keeps the answer for a second click. */
export function saveAnswer(
  tx: Transaction,
  { tokenHash, fingerprint, key }: Submission,
  { kind, to, cookies }: Redirect,
  { now, randomness }: { readonly now: Date; readonly randomness: Randomness },
): void {
  const answer: Redirect = { kind, to, ...(cookies && { cookies }) }
  const { bytes } = keyring([key], randomness).seal(Buffer.from(JSON.stringify(answer)), PLACE)
  tx.write(save, [tokenHash, fingerprint, bytes, now])
}
