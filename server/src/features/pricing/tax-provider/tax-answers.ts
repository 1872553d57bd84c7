import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { json } from '../../../kernel/json.ts'
import type { Logger } from '../../../platform/observe/logger.ts'
import { AskFirst } from '../../../platform/postgres/ask-first.ts'
import type { Database } from '../../../platform/postgres/database.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import { readSellerRecords, type SellerRecord, sellerOf } from '../../storefront/index.ts'
import { replyFault } from './checked-reply.ts'
import type { TaxProvider, TaxReply, TaxRequest, TaxSeller } from './provider.ts'

/** How long an answer is used for the same request. A quote keeps its taxes for as long as it is in force. */
const FRESH_MS = 60 * 60_000
/** The time until a failed request is sent again. */
const FAILED_MS = 30_000
/** The time until any request is sent again to a provider that did not answer one. */
const PAUSE_MS = 10_000
/** Answers cached per process, about 1 KiB each. */
const ANSWERS_MAX = 10_000

/** The configured tax providers, keyed by the name that stores choose. */
export type TaxProviders = ReadonlyMap<string, TaxProvider>

interface TaxAnswersDeps {
  readonly database: Database
  readonly providers: TaxProviders
  readonly log: Pick<Logger, 'warn'>
}

const find = statement<{ readonly reply: StoredReply; readonly askedAt: Date }>(
  'pricing.tax_answer',
  'select reply, asked_at as "askedAt" from tax_answers where fingerprint = $1 and asked_at > $2',
)
const keep = statement(
  'pricing.keep_tax_answer',
  `insert into tax_answers (fingerprint, reply, asked_at) values ($1, $2, $3)
   on conflict (fingerprint) do update set reply = excluded.reply, asked_at = excluded.asked_at`,
)
const recordFailure = statement(
  'pricing.record_tax_failure',
  `insert into tax_failures (store_id, reason, failed_at) values ($1, $2, $3)
   on conflict (store_id) do update set reason = excluded.reason, failed_at = excluded.failed_at`,
)
const failure = statement<TaxFailure>(
  'pricing.tax_failure',
  'select reason, failed_at as "failedAt" from tax_failures where store_id = $1',
)

/** JSON, with integers for bigints. */
type StoredReply = { readonly currency: string; readonly lines: readonly StoredLine[] }
type ReplyLine = TaxReply['lines'][number]
type StoredLine = Omit<ReplyLine, 'taxes'> & {
  readonly taxes: readonly (Omit<ReplyLine['taxes'][number], 'amount'> & { readonly amount: number })[]
}

/** The last failure of a store's tax provider. */
interface TaxFailure {
  readonly reason: string
  readonly failedAt: Date
}

/** Answers are used for an hour. A day is kept to investigate yesterday's carts. */
export const TAX_ANSWER_RETENTION_DAYS = 1
export const sweepTaxAnswers = sweepStatement('tax_answers', 'asked_at')

/**
 * Cache of the answers of tax providers, keyed by the whole request. A caller that needs an unknown answer gets {@link AskFirst}: the
 * provider is then called outside of any transaction, and the checked answer is shared with the other processes.
 *
 * @see docs/decisions/0133-ask-a-tax-provider.md
 */
export class TaxAnswers {
  readonly #deps: TaxAnswersDeps
  /** `reply` is `null` if the provider has failed. */
  readonly #known: LRUCache<string, { readonly reply: TaxReply | null; readonly until: number }>
  readonly #asking = new Map<string, Promise<void>>()
  readonly #pausedUntil = new Map<TaxProvider, number>()

  constructor(deps: TaxAnswersDeps) {
    this.#deps = deps
    this.#known = new LRUCache({ max: ANSWERS_MAX })
  }

  /** The checked reply of a provider; `null` if it failed or is no longer configured. Throws {@link AskFirst}. */
  replyTo(providerName: string, request: TaxRequest, now: Date): TaxReply | null {
    const provider = this.#deps.providers.get(providerName)
    if (!provider) return null
    const fingerprint = fingerprintOf(providerName, request)
    const known = this.#known.get(fingerprint)
    if (known && now.getTime() < known.until) return known.reply
    if (now.getTime() < (this.#pausedUntil.get(provider) ?? 0)) return null
    throw new AskFirst(() => this.#askOnce(provider, { request, fingerprint, now }))
  }

  /** Ask the provider, once for concurrent callers. */
  #askOnce(provider: TaxProvider, question: Question): Promise<void> {
    const asking = this.#asking.get(question.fingerprint)
    if (asking) return asking
    const asked = this.#ask(provider, question).finally(() => this.#asking.delete(question.fingerprint))
    this.#asking.set(question.fingerprint, asked)
    return asked
  }

  async #ask(provider: TaxProvider, { request, fingerprint, now }: Question): Promise<void> {
    const { database, log } = this.#deps
    const freshFrom = new Date(now.getTime() - FRESH_MS)
    const kept = await database.reader.row(find, [fingerprint, freshFrom])
    if (kept) return this.#remember(fingerprint, replyOf(kept.reply), kept.askedAt.getTime() + FRESH_MS)
    const records = await readSellerRecords(database.reader, [request.storeId])
    const answer = await provider.calculate(request, taxSeller(sellerOf(records, request.storeId)))
    const reason = answer.outcome === 'answered' ? replyFault(request, answer.reply) : answer.reason
    if (answer.outcome === 'answered' && reason === null) {
      await database.transaction(async (tx) => tx.write(keep, [fingerprint, json(answer.reply), now]))
      return this.#remember(fingerprint, answer.reply, now.getTime() + FRESH_MS)
    }
    log.warn({ reason, storeId: request.storeId }, 'the tax provider failed: using the tax tables of the store')
    // An invalid answer says nothing about other requests. A missing answer does.
    if (answer.outcome === 'unanswered') this.#pausedUntil.set(provider, now.getTime() + PAUSE_MS)
    this.#remember(fingerprint, null, now.getTime() + FAILED_MS)
    const values = [request.storeId, (reason || 'no reason given').slice(0, 500), now]
    await database.transaction(async (tx) => tx.write(recordFailure, values))
  }

  #remember(fingerprint: string, reply: TaxReply | null, until: number): void {
    this.#known.set(fingerprint, { reply, until })
  }
}

interface Question {
  readonly request: TaxRequest
  readonly fingerprint: string
  readonly now: Date
}

/** Find the last failure of a store's tax provider; `null` if there was none. */
export async function lastTaxFailure(reader: Reader, storeId: string): Promise<TaxFailure | null> {
  return (await reader.row(failure, [storeId])) ?? null
}

function fingerprintOf(provider: string, request: TaxRequest): string {
  return createHash('sha256')
    .update(`${provider} ${json(request)}`)
    .digest('base64url')
}

function replyOf({ currency, lines }: StoredReply): TaxReply {
  return {
    currency,
    lines: lines.map((line) => ({ ...line, taxes: line.taxes.map((tax) => ({ ...tax, amount: BigInt(tax.amount) })) })),
  }
}

function taxSeller(record: SellerRecord | undefined): TaxSeller | null {
  if (!record) return null
  const { line1, line2 = null, city, region = null, postalCode = null } = record.address
  const { country, vatIds: registrations } = record
  return { address: { line1, line2, city, region, postalCode, country }, registrations }
}
