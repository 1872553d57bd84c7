import { type Static, type TObject, Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Html } from '../../kernel/html.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Logger } from '../../platform/observe/logger.ts'
import type { Metrics } from '../../platform/observe/metrics.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import type { PolicyName } from '../../platform/rate-limit/policy.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { CookieName, NewCookie } from './cookies.ts'
import type { Language } from './languages.ts'

/** What the pages door stands on. */
export interface PagesHouse {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly limiter: RateLimiter
  readonly log: Logger
  readonly metrics: Metrics
  /** The pages door as the world sees it, without a trailing slash. */
  readonly pagesUrl: string
  readonly trustedProxies: number
  readonly formSecret: Buffer
  /** What the site is called now. An operator may change it. */
  siteName(reader: Reader): Promise<string>
}

/** What every page is told. */
export interface PageFacts {
  readonly now: Date
  readonly requestId: string
  /** The client's, for limits. */
  readonly address: string
  readonly language: Language
  /** The language that the address asks for; `null` where it asks for none, so that a page may know a better one. */
  readonly askedLanguage: Language | null
  /** What a form must carry. */
  readonly formToken: string
  cookie(name: CookieName): string | null
  /** A path of ours with its query, in the language that was asked for. */
  link(path: string, query?: Readonly<Record<string, string>>): string
}

export interface PageReadContext extends PageFacts {
  readonly reader: Reader
}

/** What a form's slow part is told, before the transaction: a password takes 30 ms, which no transaction waits for. */
export interface PagePrepareContext extends PageReadContext {
  readonly limiter: RateLimiter
}

export interface PageWriteContext extends PageFacts {
  readonly tx: Transaction
  readonly ids: IdSource
  readonly randomness: Randomness
}

/** A page, or the way to one. */
export type PageAnswer = ShownPage | Redirection

export interface ShownPage {
  readonly kind: 'page'
  readonly status?: 200 | 400 | 403 | 404 | 409 | 429
  readonly title: string
  readonly main: Html
  readonly hasErrors?: boolean
  readonly width?: PageWidth
  /** The language that it speaks, where that is not the one of the address or the browser. */
  readonly language?: Language
  /** Addresses of pictures that it shows, beside our own. */
  readonly images?: readonly string[]
  /** The browser asks for it again after so many seconds, as long as it stands open. */
  readonly refreshSeconds?: number | undefined
  /** Addresses beyond ours that the answer to a form on this page may lead to. */
  readonly formTargets?: readonly string[]
  readonly cookies?: readonly NewCookie[]
}

export type PageWidth = 'narrow' | 'wide' | 'broad'

/** 303: asked for with GET, whatever came before. */
export interface Redirection {
  readonly kind: 'redirect'
  /** A path of ours, as `link` gives it, or a whole address. */
  readonly to: string
  /**
   * What a form's work leaves to be done once it is committed, such as asking a payment provider. The browser waits for it
   * a while and is sent on in any case: whatever must not be lost has a job of its own.
   */
  readonly afterwards?: () => Promise<unknown>
  /** A cookie of who has signed in renews the visit, so that nobody goes on with a form from before. */
  readonly cookies?: readonly NewCookie[]
}

/** A page that is read. `Query` is what its address may carry beside `locale`: its path’s own parts, such as `:id`, included. */
export interface PageRead<Query extends TObject> {
  readonly path: `/${string}`
  readonly query: Query
  show(input: { readonly query: Static<Query> }, context: PageReadContext): Promise<PageAnswer>
}

/** A form that is sent: prepare, then load, decide, save, tell and show in one transaction that the door opens. */
export interface PageWrite<Query extends TObject, Form extends TObject, Prepared> {
  readonly path: `/${string}`
  readonly query: Query
  readonly form: Form
  /** How often an address may send it. */
  readonly limit?: PolicyName
  prepare?(
    input: { readonly query: Static<Query>; readonly form: Static<Form> },
    context: PagePrepareContext,
  ): Promise<Prepared>
  work(
    input: { readonly query: Static<Query>; readonly form: Static<Form>; readonly prepared: Prepared },
    context: PageWriteContext,
  ): Promise<PageAnswer>
  /**
   * Shows the form again with what is wrong, after everything was undone: the form did not fit its schema, or `prepare` or
   * `work` refused. `null` leaves the refusal to the page for errors. Fields are as they were typed.
   */
  refused(
    refusal: Refusal,
    input: { readonly query: Static<Query>; readonly form: Readonly<Record<string, string>> },
    context: PageReadContext,
  ): Promise<PageAnswer | null>
}

/** A page of the door, whichever kind. */
export type PageRoute =
  | { readonly method: 'GET'; readonly page: PageRead<TObject> }
  | { readonly method: 'POST'; readonly page: PageWrite<TObject, TObject, unknown> }

/** Declares a page that is read. */
export function pageRead<const Query extends TObject>(page: PageRead<Query>): PageRoute {
  return { method: 'GET', page: page as unknown as PageRead<TObject> }
}

/** Declares a form that is sent. */
export function pageWrite<const Query extends TObject, const Form extends TObject, Prepared = undefined>(
  page: PageWrite<Query, Form, Prepared>,
): PageRoute {
  return { method: 'POST', page: page as unknown as PageWrite<TObject, TObject, unknown> }
}

/** An address or a form that carries nothing of its own. */
export const nothing = Type.Object({}, { additionalProperties: false })
