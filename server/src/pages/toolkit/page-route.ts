import { type Static, type TObject, Type } from 'typebox'
import type { LoadSeller } from '../../features/storefront/index.ts'
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
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import type { CookieName, NewCookie } from './cookies.ts'
import type { Language } from './languages.ts'

/** Dependencies of the pages door. */
export interface PagesDoorDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly limiter: RateLimiter
  readonly log: Logger
  readonly metrics: Metrics
  /** Public URL of the pages, without a trailing slash. */
  readonly pagesUrl: string
  readonly trustedProxies: number
  readonly formSecret: Secret
  /** Base of relative image URLs. */
  readonly publicUrl: string
  /** Loads the seller of a page, as configured by operators. */
  readonly seller: LoadSeller
}

/** Request data for every page. */
export interface PageBaseContext {
  readonly now: Date
  readonly requestId: string
  /** The client address, for rate limits. */
  readonly address: string
  readonly language: Language
  /** The language in the URL; `null`: a page may choose a better default. */
  readonly requestedLanguage: Language | null
  /** The `User-Agent` header of the browser. */
  readonly agent: string | null
  /** The CSRF token for forms. */
  readonly formToken: string
  cookie(name: CookieName): string | null
  /** Base of relative image URLs. */
  readonly publicUrl: string
  /** A path with its query, in the requested language. */
  link(path: string, query?: Readonly<Record<string, string>>): string
}

export interface PageReadContext extends PageBaseContext {
  readonly reader: Reader
}

/** For slow work before the transaction, such as hashing a password (30 ms). */
export interface PagePrepareContext extends PageReadContext {
  readonly limiter: RateLimiter
}

interface PageWriteContext extends PageBaseContext {
  readonly tx: Transaction
  readonly ids: IdSource
  readonly randomness: Randomness
}

export type PageResponse = HtmlPage | Redirect | Download

/** A file that the browser saves. */
export interface Download {
  readonly kind: 'download'
  readonly name: string
  readonly contentType: string
  readonly body: string | Buffer
  readonly cookies?: readonly NewCookie[]
}

export interface HtmlPage {
  readonly kind: 'page'
  readonly status?: 200 | 400 | 403 | 404 | 409 | 429
  readonly title: string
  readonly main: Html
  readonly hasErrors?: boolean
  /** Whether the page includes the script. It has to work without it. */
  readonly hasScript?: boolean
  readonly width?: PageWidth
  /** The stores of the page, which determine its name, theme and documents. Absent for the marketplace. */
  readonly stores?: readonly string[]
  /** Overrides the language of the URL and the browser. */
  readonly language?: Language
  /** URLs of external images. */
  readonly images?: readonly string[]
  readonly refresh?: PageRefresh
  /** External URLs that forms on this page may redirect to. */
  readonly formTargets?: readonly string[]
  readonly cookies?: readonly NewCookie[]
}

/** Reloads a page automatically. */
interface PageRefresh {
  readonly seconds: number
  /** A path from `link`. Without it a browser would reload the URL of the form, or only scroll if it has a fragment. */
  readonly to: string
}

export type PageWidth = 'narrow' | 'wide' | 'broad'

/** 303 See Other. */
export interface Redirect {
  readonly kind: 'redirect'
  /** A path from `link`, or an absolute URL. */
  readonly to: string
  /**
   * Runs after the commit, such as a call to a payment provider. The browser waits for a limited time, so work that must
   * not be lost needs a job too.
   */
  readonly afterCommit?: () => Promise<unknown>
  /** Setting a session cookie also renews the visit, which invalidates earlier forms. */
  readonly cookies?: readonly NewCookie[]
}

/** A GET page. `Query` includes path parameters, such as `:id`, but not `locale`. */
export interface PageRead<Query extends TObject> {
  readonly path: `/${string}`
  readonly query: Query
  show(input: { readonly query: Static<Query> }, context: PageReadContext): Promise<PageResponse>
}

/** A POST form: prepare, then work in one transaction opened by the pages door. */
export interface PageWrite<Query extends TObject, Form extends TObject, Prepared> {
  readonly path: `/${string}`
  readonly query: Query
  readonly form: Form
  /** Whether a second click has no second effect by itself, as with the version of a session: then the door keeps no answer. */
  readonly isRepeatable?: boolean
  /** Rate limit per client address. */
  readonly limit?: PolicyName
  prepare?(
    input: { readonly query: Static<Query>; readonly form: Static<Form> },
    context: PagePrepareContext,
  ): Promise<Prepared>
  work(
    input: { readonly query: Static<Query>; readonly form: Static<Form>; readonly prepared: Prepared },
    context: PageWriteContext,
  ): Promise<PageResponse>
  /**
   * Renders the form again with its errors, after a schema violation or a refusal by `prepare` or `work`. Everything has
   * been rolled back. `form` has the submitted texts. `null`: show the error page.
   */
  refused(
    refusal: Refusal,
    input: { readonly query: Static<Query>; readonly form: Readonly<Record<string, string>> },
    context: PageReadContext,
  ): Promise<PageResponse | null>
}

export type PageRoute = { readonly localeOf?: LocaleOf } & (
  | { readonly method: 'GET'; readonly page: PageRead<TObject> }
  | { readonly method: 'POST'; readonly page: PageWrite<TObject, TObject, unknown> }
)

/** Finds the locale of the session, the order or the customer that a page is about, from its unchecked query. */
export type LocaleOf = (
  query: Readonly<Record<string, unknown>>,
  context: PageReadContext,
) => Promise<string | null | undefined>

/** Pages whose error pages have the language of what they are about, like the pages themselves. */
export function inLocaleOf(localeOf: LocaleOf, routes: readonly PageRoute[]): PageRoute[] {
  return routes.map((route) => ({ ...route, localeOf }))
}

/** Declare a GET page. */
export function pageRead<const Query extends TObject>(page: PageRead<Query>): PageRoute {
  return { method: 'GET', page: page as unknown as PageRead<TObject> }
}

/** Declare a POST form. */
export function pageWrite<const Query extends TObject, const Form extends TObject, Prepared = undefined>(
  page: PageWrite<Query, Form, Prepared>,
): PageRoute {
  return { method: 'POST', page: page as unknown as PageWrite<TObject, TObject, unknown> }
}

/** Schema of a query or form without parameters. */
export const nothing = Type.Object({}, { additionalProperties: false })
