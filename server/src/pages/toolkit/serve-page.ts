import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { readAcceptLanguage } from '../../platform/http/accept-language.ts'
import { addressForLimits, clientAddress } from '../../platform/http/client-address.ts'
import { checker, readQuery, validate } from '../../platform/http/parse.ts'
import { beginRequest, endRequest, within } from '../../platform/observe/tracing.ts'
import type { PolicyName } from '../../platform/rate-limit/policy.ts'
import { refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { cookieLine, type NewCookie, readCookie } from './cookies.ts'
import { errorPage, StaleForm } from './error-pages.ts'
import { formTokenOf, isFormToken } from './form-token.ts'
import { pageHeaders } from './headers.ts'
import { askedLanguage, LANGUAGES, type Language, languageOf } from './languages.ts'
import { page as layOut } from './layout.ts'
import type { PageAnswer, PageFacts, PageRead, PageRoute, PagesHouse, PageWrite, ShownPage } from './page-route.ts'

/** A form of ours has a few fields. What is longer is no form of ours. */
const FORM_BYTES_MAX = 64 * 1024
const VISIT_BYTES = 24

/** One request of a page on its way. */
interface Visit {
  readonly house: PagesHouse
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly facts: PageFacts
  /** Raw parameters, without `locale`. */
  readonly query: Readonly<Record<string, unknown>>
  /** The visit cookie that the browser sent, or null. */
  readonly sentVisit: string | null
  readonly visit: string
  readonly isSecure: boolean
}

/** Makes a door serve pages: each route, and an honest page for everything else. */
export function servePages(app: FastifyInstance, house: PagesHouse, routes: readonly PageRoute[]): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, body),
  )
  for (const route of routes) {
    const answer = route.method === 'GET' ? answerRead(route.page) : answerWrite(route.page)
    app.route({
      method: route.method,
      url: route.page.path,
      // What the body parser refuses must be told as a page too, so the visit is known before it.
      handler: async (request, reply) => {
        const visit = beginVisit(house, request, reply)
        const startedAt = performance.now()
        const attributes = { 'http.request.method': request.method, 'http.route': route.page.path }
        const span = beginRequest(`page ${route.page.path}`, attributes, request.headers)
        const status = await within(span, () =>
          answer(visit).then(
            (shown) => send(visit, shown),
            (failure: unknown) => sendFailure(visit, failure),
          ),
        )
        endRequest(span, status, '')
        house.metrics.answered(`page ${route.page.path}`, status, '', (performance.now() - startedAt) / 1000)
        return reply
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    await sendFailure(beginVisit(house, request, reply), new Refusal('not_found'))
    return reply
  })
  app.setErrorHandler(async (error, request, reply) => {
    await sendFailure(beginVisit(house, request, reply), refusalOfFramework(error))
    return reply
  })
}

function beginVisit(house: PagesHouse, request: FastifyRequest, reply: FastifyReply): Visit {
  const isSecure = house.pagesUrl.startsWith('https:')
  const { locale, ...asking } = request.query as Record<string, unknown>
  const query = { ...asking, ...(request.params as Record<string, unknown>) }
  const asked = askedLanguage(typeof locale === 'string' ? locale : null)
  const sentVisit = readCookie(request.headers.cookie, 'visit', isSecure)
  const visit = sentVisit ?? newVisit(house)
  const facts: PageFacts = {
    now: house.clock.now(),
    requestId: request.id,
    address: clientAddress(request.raw, house.trustedProxies),
    language: languageOf(asked, readAcceptLanguage(request.headers['accept-language'])),
    askedLanguage: asked,
    formToken: formTokenOf(house.formSecret, visit),
    cookie: (name) => readCookie(request.headers.cookie, name, isSecure),
    link: (path, more = {}) => {
      const search = new URLSearchParams({ ...more, ...(asked && { locale: asked }) })
      return search.size > 0 ? `${path}?${search}` : path
    },
  }
  return { house, request, reply, facts, query, sentVisit, visit, isSecure }
}

function newVisit({ randomness }: PagesHouse): string {
  return randomness.bytes(VISIT_BYTES).toString('base64url')
}

function answerRead(page: PageRead<TObject>): (visit: Visit) => Promise<PageAnswer> {
  const readAddress = reader(page.query, 'query')
  return async (visit) => {
    await limit(visit, 'public-read')
    const query = readAddress(visit.query)
    return page.show({ query }, { ...visit.facts, reader: visit.house.database.reader })
  }
}

function answerWrite(page: PageWrite<TObject, TObject, unknown>): (visit: Visit) => Promise<PageAnswer> {
  const readAddress = reader(page.query, 'query')
  const readForm = reader(page.form, 'body')
  return async (visit) => {
    const { house, facts } = visit
    const { database, limiter, ids, randomness } = house
    await limit(visit, 'public-read')
    if (page.limit) await limit(visit, page.limit)
    const { form_token: formToken, ...sent } = readFields(visit.request.body)
    refuseStrangers(visit, formToken)
    const query = readAddress(visit.query)
    const reading = { ...facts, reader: database.reader }
    try {
      const form = readForm(sent)
      const prepared = await page.prepare?.({ query, form }, { ...reading, limiter })
      const answer = await database.transaction((tx) =>
        page.work({ query, form, prepared }, { ...facts, tx, ids, randomness }),
      )
      if (answer.kind === 'redirect' && answer.afterwards) await doAfterwards(visit, answer.afterwards)
      return answer
    } catch (failure) {
      // A field that no form of ours has is not a mistake of the person who fills it in.
      if (!(failure instanceof Refusal) || failure.code === 'unknown_field') throw failure
      const shown = await page.refused(failure, { query, form: onlyTexts(sent) }, reading)
      if (shown === null) throw failure
      return shown
    }
  }
}

/** How long a browser waits for what comes after the commit. */
const AFTERWARDS_MS_MAX = 8000

/** What fails here was committed before, and is done by its job. */
async function doAfterwards({ house, facts, request }: Visit, work: () => Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, AFTERWARDS_MS_MAX)
  const done = work().catch((error: unknown) =>
    house.log.error({ err: error, requestId: facts.requestId, path: pathOf(request) }, 'what follows a form failed'),
  )
  await Promise.race([done, late])
  clearTimeout(timer)
}

/** Checks raw parameters against their closed schema, turning texts into what it asks for. */
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

async function limit({ house, facts }: Visit, policy: PolicyName): Promise<void> {
  refuseOverLimit(await house.limiter.take(policy, addressForLimits(facts.address), facts.now.getTime()))
}

/** The fields of a form that were filled in: a text each, or a list where one is sent several times. */
function readFields(body: unknown): Readonly<Record<string, unknown>> & { readonly form_token?: unknown } {
  if (typeof body !== 'string') refuse('unsupported_media_type')
  const fields = new URLSearchParams(body)
  return Object.fromEntries(
    [...new Set(fields.keys())]
      .map((name) => [name, fields.getAll(name).filter((value) => value !== '')] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

function onlyTexts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** @see W3C Fetch Metadata, 2.4, and {@link formTokenOf} */
function refuseStrangers({ house, request, sentVisit }: Visit, formToken: unknown): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new StaleForm(`sent from ${site}`)
  const given = typeof formToken === 'string' ? formToken : undefined
  if (!isFormToken(house.formSecret, sentVisit, given)) throw new StaleForm('no token of this visit')
}

async function send(visit: Visit, answer: PageAnswer): Promise<number> {
  const { reply, isSecure } = visit
  for (const cookie of cookiesOf(visit, answer)) reply.header('set-cookie', cookieLine(cookie, isSecure))
  reply.header('x-request-id', visit.facts.requestId)
  if (answer.kind === 'redirect') {
    reply.code(303).headers(pageHeaders()).header('location', answer.to).send('')
    return 303
  }
  const status = answer.status ?? 200
  if (answer.refreshSeconds !== undefined) reply.header('refresh', String(answer.refreshSeconds))
  reply
    .code(status)
    .headers(pageHeaders(answer.formTargets, answer.images))
    .send(await laidOut(visit, answer))
  return status
}

function cookiesOf({ house, sentVisit, visit }: Visit, { cookies = [] }: PageAnswer): readonly NewCookie[] {
  if (cookies.length > 0) return [...cookies, { name: 'visit', value: newVisit(house) }]
  return sentVisit === null ? [{ name: 'visit', value: visit }] : []
}

async function laidOut(
  visit: Visit,
  { title, main, hasErrors, width, language }: Pick<ShownPage, 'title' | 'main' | 'hasErrors' | 'width' | 'language'>,
): Promise<string> {
  const { house, facts, request } = visit
  const siteName = await house.siteName(house.database.reader)
  const alternatives = request.method === 'GET' ? alternativesOf(request.url) : undefined
  return layOut({ title, main, hasErrors, width, siteName, language: language ?? facts.language, alternatives })
}

/** The same address in each language. */
function alternativesOf(url: string): Readonly<Record<Language, string>> {
  const { pathname, searchParams } = new URL(url, 'http://pages')
  const entries = Object.keys(LANGUAGES).map((language) => {
    searchParams.set('locale', language)
    return [language, `${pathname}?${searchParams}`]
  })
  return Object.fromEntries(entries) as Record<Language, string>
}

async function sendFailure(visit: Visit, failure: unknown): Promise<number> {
  const { house, facts, request, reply } = visit
  const { status, title, main } = errorPage(failure, facts.language, facts.requestId)
  if (status >= 500) house.log.error({ err: failure, requestId: facts.requestId, path: pathOf(request) }, 'page failed')
  reply.code(status).headers(pageHeaders()).header('x-request-id', facts.requestId)
  reply.send(await laidOut(visit, { title, main }))
  return status
}

/** Without the query, where a token may stand. */
function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}

/** What the framework refuses before a page sees it. */
function refusalOfFramework(error: unknown): unknown {
  const { statusCode } = error as { readonly statusCode?: number }
  return statusCode !== undefined && statusCode < 500 ? new Refusal('validation_failed') : error
}
