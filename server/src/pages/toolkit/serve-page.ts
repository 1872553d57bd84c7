import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Seller } from '../../features/storefront/index.ts'
import { LANGUAGE_CODES } from '../../kernel/languages/languages.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { readAcceptLanguage } from '../../platform/http/accept-language.ts'
import { addressForLimits, clientAddress } from '../../platform/http/client-address.ts'
import { readQuery, validate } from '../../platform/http/parse.ts'
import { proxyWatch } from '../../platform/http/proxy-watch.ts'
import { checker } from '../../platform/http/schema-check.ts'
import { securityLog } from '../../platform/observe/security-log.ts'
import { beginRequest, endRequest, within } from '../../platform/observe/tracing.ts'
import type { PolicyName } from '../../platform/rate-limit/policy.ts'
import { refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { cookieLine, type NewCookie, readCookie } from './cookies.ts'
import { errorPage, StaleForm } from './error-pages.ts'
import { formTokenOf, isFormToken } from './form-token.ts'
import { pageHeaders } from './headers.ts'
import { type Language, languageOf, requestedLanguage } from './languages.ts'
import { page as layOut } from './layout.ts'
import type {
  HtmlPage,
  LocaleOf,
  PageBaseContext,
  PageRead,
  PageResponse,
  PageRoute,
  PagesDoorDeps,
  PageWrite,
} from './page-route.ts'
import { findAnswer, lockSubmission, saveAnswer, submissionOf } from './submissions.ts'
import { themeStyle } from './theme.ts'

const FORM_BYTES_MAX = 64 * 1024
const VISIT_BYTES = 24
/** A year. @see RFC 6797 */
const HSTS = 'max-age=31536000'

/** A page request being served. */
interface Visit {
  readonly deps: PagesDoorDeps
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly facts: PageBaseContext
  /** Raw parameters without `locale`. */
  readonly query: Readonly<Record<string, unknown>>
  /** The visit cookie that the browser sent, or null. */
  readonly sentVisit: string | null
  readonly visit: string
  readonly isSecure: boolean
  readonly localeOf: LocaleOf | undefined
}

/** Register all page routes, and error pages for everything else. */
export function servePages(app: FastifyInstance, deps: PagesDoorDeps, routes: readonly PageRoute[]): void {
  const watchProxies = proxyWatch(deps.log, deps.metrics, deps.trustedProxies)
  app.decorate('trustedProxies', deps.trustedProxies)
  app.decorate('security', securityLog(deps))
  app.addHook('onRequest', async ({ raw }) => watchProxies(raw))
  if (deps.pagesUrl.startsWith('https:')) {
    app.addHook('onRequest', async (_request, reply) => void reply.header('strict-transport-security', HSTS))
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, body),
  )
  const formPageOf = formPages(routes)
  const localesOf = new Map(routes.map(({ page, localeOf }) => [page.path as string, localeOf]))
  const begin = (request: FastifyRequest, reply: FastifyReply) =>
    beginVisit(deps, request, reply, localesOf.get(pathOf(request)))
  for (const route of routes) {
    const answer = route.method === 'GET' ? answerRead(route.page) : answerWrite(route.page)
    app.route({
      method: route.method,
      url: route.page.path,
      handler: async (request, reply) => {
        const visit = begin(request, reply)
        const startedAt = performance.now()
        const attributes = { 'http.request.method': request.method, 'http.route': route.page.path }
        const span = beginRequest(`page ${route.page.path}`, attributes, request.headers)
        const status = await within(span, () =>
          answer(visit)
            .then((shown) => send(visit, shown))
            .catch((failure: unknown) => sendFailure(visit, failure, formPageOf(request))),
        )
        endRequest(span, status, '')
        deps.metrics.answered(`page ${route.page.path}`, status, '', (performance.now() - startedAt) / 1000)
        return reply
      },
    })
    const { path } = route.page
    if (routes.some(({ method, page }) => method === 'GET' && page.path === path)) continue
    // A browser that restores a tab, or a reader of a copied address, opens the address of a form.
    app.get(path, async (request, reply) =>
      reply
        .code(303)
        .headers(pageHeaders())
        .header('location', formPageOf(request) ?? '/')
        .send(''),
    )
  }
  app.setNotFoundHandler(async (request, reply) => {
    await sendFailure(begin(request, reply), new Refusal('not_found'))
    return reply
  })
  app.setErrorHandler(async (error, request, reply) => {
    await sendFailure(begin(request, reply), refusalOfFramework(error), formPageOf(request))
    return reply
  })
}

type FindFormPage = (request: FastifyRequest) => string | null

/**
 * Finds the URL of the page that a form is on: that of the form itself, or else of the closest path above it. `null` if the page needs
 * a parameter that only the form has, such as the token of a link.
 */
function formPages(routes: readonly PageRoute[]): FindFormPage {
  const required = new Map<string, readonly string[]>(
    routes.flatMap(({ method, page }) => (method === 'GET' ? [[page.path, page.query.required ?? []]] : [])),
  )
  return ({ url, routeOptions, query, params }) => {
    const route = (routeOptions.url ?? '').split('/')
    while (route.length > 1 && !required.has(route.join('/'))) route.pop()
    const given = { ...(query as object), ...(params as object) }
    if (required.get(route.join('/'))?.some((name) => !(name in given))) return null
    const { pathname, search } = new URL(`http://pages${url}`)
    return `/${pathname.split('/').slice(1, route.length).join('/')}${search}`
  }
}

function beginVisit(
  deps: PagesDoorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  localeOf: LocaleOf | undefined,
): Visit {
  const isSecure = deps.pagesUrl.startsWith('https:')
  const { locale, ...params } = request.query as Record<string, unknown>
  const query = { ...params, ...(request.params as Record<string, unknown>) }
  const requested = requestedLanguage(typeof locale === 'string' ? locale : null)
  const sentVisit = readCookie(request.headers.cookie, 'visit', isSecure)
  const visit = sentVisit ?? newVisit(deps)
  const facts: PageBaseContext = {
    now: deps.clock.now(),
    requestId: request.id,
    address: clientAddress(request.raw, deps.trustedProxies),
    language: languageOf(requested, readAcceptLanguage(request.headers['accept-language'])),
    requestedLanguage: requested,
    agent: request.headers['user-agent'] ?? null,
    formToken: formTokenOf(deps.formSecret, visit),
    publicUrl: deps.publicUrl,
    cookie: (name) => readCookie(request.headers.cookie, name, isSecure),
    link: (path, more = {}) => {
      const search = new URLSearchParams({ ...more, ...(requested && { locale: requested }) })
      return search.size > 0 ? `${path}?${search}` : path
    },
  }
  return { deps, request, reply, facts, query, sentVisit, visit, isSecure, localeOf }
}

function newVisit({ randomness }: PagesDoorDeps): string {
  return randomness.bytes(VISIT_BYTES).toString('base64url')
}

function answerRead(page: PageRead<TObject>): (visit: Visit) => Promise<PageResponse> {
  const readAddress = reader(page.query, 'query')
  return async (visit) => {
    await limit(visit, 'public-read')
    const query = readAddress(visit.query)
    return page.show({ query }, { ...visit.facts, reader: visit.deps.database.reader })
  }
}

function answerWrite(page: PageWrite<TObject, TObject, unknown>): (visit: Visit) => Promise<PageResponse> {
  const readAddress = reader(page.query, 'query')
  const readForm = reader(page.form, 'body')
  return async (visit) => {
    const { deps, facts } = visit
    const { database, limiter, ids, randomness } = deps
    await limit(visit, 'public-read')
    if (page.limit) await limit(visit, page.limit)
    const { form_token: formToken, ...sent } = readFields(visit.request.body)
    const submission = page.isRepeatable ? null : submissionOf(formToken, visit.request.url, visit.request.body)
    const once = { now: facts.now, randomness }
    const query = readAddress(visit.query)
    const reading = { ...facts, reader: database.reader }
    try {
      refuseForeignForms(visit, formToken)
      const form = readForm(sent)
      const prepared = await page.prepare?.({ query, form }, { ...reading, limiter })
      const answer = await database.transaction(async (tx) => {
        const earlier = submission && (await lockSubmission(tx, submission, once))
        if (earlier) return earlier
        const done = await page.work({ query, form, prepared }, { ...facts, tx, ids, randomness })
        if (submission && done.kind === 'redirect') saveAnswer(tx, submission, done, once)
        return done
      })
      if (answer.kind === 'redirect' && answer.afterCommit) await runAfterCommit(visit, answer.afterCommit)
      return answer
    } catch (failure) {
      // The first click may have changed what this one needs: a password, a session, the version of an order.
      const earlier =
        submission &&
        (failure instanceof Refusal || failure instanceof StaleForm) &&
        (await findAnswer(database.reader, submission, once))
      if (earlier) return earlier
      recordRefusedForm(visit, page.path, failure)
      // An unknown field is not an input error of the shopper.
      if (!(failure instanceof Refusal) || failure.code === 'unknown_field') throw failure
      const shown = await page.refused(failure, { query, form: textFields(sent) }, reading)
      if (shown === null) throw failure
      return shown
    }
  }
}

/** On pages, `credential_invalid` is a wrong password. */
function recordRefusedForm({ request, facts }: Visit, path: string, failure: unknown): void {
  if (!(failure instanceof Refusal)) return
  const seen = { requestId: facts.requestId, address: facts.address, operationId: `page ${path}` }
  if (failure.code === 'credential_invalid') request.server.security.record('sign_in_failed', seen)
  else request.server.security.refused(failure, seen)
}

/** How long the browser waits for work after the commit. */
const AFTER_COMMIT_MS_MAX = 8000

/** The form is already committed; a job repeats work that fails here. */
async function runAfterCommit({ deps, facts, request }: Visit, work: () => Promise<unknown>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, AFTER_COMMIT_MS_MAX)
  const done = work().catch((error: unknown) =>
    deps.log.error(
      { err: error, requestId: facts.requestId, path: pathOf(request) },
      'work after a form commit failed',
    ),
  )
  await Promise.race([done, timeout])
  clearTimeout(timer)
}

/** Validate raw parameters against their closed schema and coerce types. */
function reader(
  schema: TObject,
  place: 'query' | 'body',
): (raw: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const check = checker(schema)
  return (raw) => {
    const value = readQuery(schema, raw)
    validate(check, schema, place, value)
    return value
  }
}

async function limit({ deps, facts }: Visit, policy: PolicyName): Promise<void> {
  refuseOverLimit(await deps.limiter.take(policy, addressForLimits(facts.address), facts.now.getTime()))
}

/** Non-empty form fields; a list if a field occurs several times. Without NUL, which PostgreSQL cannot store. */
function readFields(body: unknown): Readonly<Record<string, unknown>> & { readonly form_token?: unknown } {
  if (typeof body !== 'string') refuse('unsupported_media_type')
  const fields = new URLSearchParams(body.replaceAll(/%00|\0/g, ''))
  return Object.fromEntries(
    [...new Set(fields.keys())]
      .map((name) => [name, fields.getAll(name).filter((value) => value !== '')] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

function textFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** @see W3C Fetch Metadata, 2.4, and {@link formTokenOf} */
function refuseForeignForms({ deps, request, sentVisit }: Visit, formToken: unknown): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new StaleForm(`sent from ${site}`)
  const given = typeof formToken === 'string' ? formToken : undefined
  if (!isFormToken(deps.formSecret, sentVisit, given)) throw new StaleForm('no token of this visit')
}

async function send(visit: Visit, answer: PageResponse): Promise<number> {
  const { reply, isSecure } = visit
  for (const cookie of cookiesOf(visit, answer)) reply.header('set-cookie', cookieLine(cookie, isSecure))
  reply.header('x-request-id', visit.facts.requestId)
  if (answer.kind === 'redirect') {
    reply.code(303).headers(pageHeaders()).header('location', answer.to).send('')
    return 303
  }
  if (answer.kind === 'download') {
    reply
      .headers(pageHeaders())
      .headers({
        'content-type': answer.contentType,
        'content-disposition': `attachment; filename="${answer.name}"`,
      })
      .send(answer.body)
    return 200
  }
  const status = answer.status ?? 200
  if (answer.refresh) reply.header('refresh', `${answer.refresh.seconds}; url=${answer.refresh.to}`)
  const { body, images, style } = await laidOut(visit, answer)
  reply
    .code(status)
    .headers(
      pageHeaders(answer.formTargets, [...images, ...(answer.images ?? [])], {
        style,
        hasScript: answer.hasScript ?? false,
      }),
    )
    .send(body)
  return status
}

function cookiesOf({ deps, sentVisit, visit }: Visit, { cookies = [] }: PageResponse): readonly NewCookie[] {
  // A session that begins or ends renews the visit: a form token ends with its session.
  if (cookies.some(({ name }) => name !== 'login')) return [...cookies, { name: 'visit', value: newVisit(deps) }]
  return sentVisit === null ? [...cookies, { name: 'visit', value: visit }] : cookies
}

/** A document, and the sources that its policy has to allow. */
interface LaidOut {
  readonly body: string
  readonly images: readonly string[]
  readonly style: string | null
}

type Content = Pick<HtmlPage, 'title' | 'main' | 'hasErrors' | 'hasScript' | 'width' | 'language' | 'stores'>

async function laidOut(visit: Visit, answer: Content): Promise<LaidOut> {
  const { deps, facts } = visit
  const { stores: storeIds = [], language = facts.language } = answer
  const seller = await deps.seller(deps.database.reader, { storeIds, languages: [language], now: facts.now })
  return laidOutFor(seller, visit, answer)
}

function laidOutFor(seller: Seller, { deps, facts, request }: Visit, answer: Content): LaidOut {
  const { title, main, hasErrors, hasScript, width, language = facts.language } = answer
  const alternatives = request.method === 'GET' ? alternativesOf(request.url) : undefined
  const theme = seller.theme && themeStyle(seller.theme)
  const logoUrl = seller.logo && new URL(seller.logo.url, deps.publicUrl).href
  const { link } = facts
  const content = { title, main, hasErrors, hasScript, width, language, alternatives, seller, theme, logoUrl, link }
  return { body: layOut(content), images: logoUrl === null ? [] : [logoUrl], style: theme?.source ?? null }
}

/** The URL in each language. */
function alternativesOf(url: string): Readonly<Record<Language, string>> {
  const { pathname, searchParams } = new URL(`http://pages${url}`)
  // A path that begins with two slashes would be a URL of another host.
  const path = pathname.replace(/^\/+/, '/')
  const entries = LANGUAGE_CODES.map((language) => {
    searchParams.set('locale', language)
    return [language, `${path}?${searchParams}`]
  })
  return Object.fromEntries(entries) as Record<Language, string>
}

async function sendFailure(visit: Visit, failure: unknown, formPage: string | null = null): Promise<number> {
  const { deps, facts, request, reply } = visit
  const language = await languageOfFailure(visit)
  const page = errorPage(failure, { ...facts, language, formPage: request.method === 'POST' ? formPage : null })
  const answer = { ...page, language }
  const { status } = answer
  // A refusal is not an error, not even that of an overloaded door.
  if (status >= 500 && !(failure instanceof Refusal))
    deps.log.error({ err: failure, requestId: facts.requestId, path: pathOf(request) }, 'page failed')
  const { body, images, style } = await laidOut(visit, answer).catch((error: unknown) => {
    deps.log.warn({ err: error, requestId: facts.requestId }, 'the seller of an error page could not be loaded')
    return laidOutFor(UNKNOWN_SELLER, visit, answer)
  })
  reply
    .code(status)
    .headers(pageHeaders([], images, { style }))
    .header('x-request-id', facts.requestId)
  reply.send(body)
  return status
}

/** The language of the session, the order or the customer unless the URL has one, as on the page itself. */
async function languageOfFailure({ deps, facts, query, localeOf }: Visit): Promise<Language> {
  const { language, requestedLanguage } = facts
  if (localeOf === undefined || requestedLanguage !== null) return language
  try {
    return languageOf((await localeOf(query, { ...facts, reader: deps.database.reader })) ?? null, [language])
  } catch (error) {
    if (!(error instanceof Refusal)) {
      deps.log.warn({ err: error, requestId: facts.requestId }, 'the language of an error page could not be found')
    }
    return language
  }
}

/** Used if the database cannot be reached. */
const UNKNOWN_SELLER: Seller = { name: 'Vitrine', stores: [], logo: null, theme: null, contact: [], documents: [] }

/** The route, as the query may contain a token. */
function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}

/** Errors of Fastify, such as an invalid body. */
function refusalOfFramework(error: unknown): unknown {
  const { statusCode } = error as { readonly statusCode?: number }
  return statusCode !== undefined && statusCode < 500 ? new Refusal('validation_failed') : error
}
