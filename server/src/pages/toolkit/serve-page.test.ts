// test: alone: its tracer is that of the whole process
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { DatabaseError } from 'pg'
import { Type } from 'typebox'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { LOOK } from '../../../../test/support/pages/site.ts'
import { recordSpans } from '../../../../test/support/spans.ts'
import type { Seller } from '../../features/storefront/index.ts'
import { html } from '../../kernel/html.ts'
import { idSource } from '../../kernel/ids.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { logger } from '../../platform/observe/logger.ts'
import { createMetrics } from '../../platform/observe/metrics.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import { rateLimitPolicies } from '../../platform/rate-limit/policy.ts'
import { rateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { form } from './forms.ts'
import { type PageBaseContext, type PagesDoorDeps, pageRead, pageWrite } from './page-route.ts'
import { servePages } from './serve-page.ts'

const spans = recordSpans()
const clock = testClock()
// The page of a store has its name and theme, other pages have those of the marketplace.
const seller: PagesDoorDeps['seller'] = async (_reader, { storeIds }) => {
  if (storeIds.includes('store_broken')) throw new Error('the seller cannot be read')
  return sellerOf(storeIds)
}
const sellerOf = (storeIds: readonly string[]): Seller => ({
  name: storeIds.length > 0 ? 'Havelton' : 'Market & Sons',
  stores: storeIds,
  logo: storeIds.length > 0 ? { url: '/media/logo.svg', alt: '' } : null,
  theme: storeIds.length > 0 ? LOOK.theme : null,
  contact: [{ type: 'email', value: 'hello@market.example', url: 'mailto:hello@market.example' }],
  documents: [{ id: 'leg_1', type: 'imprint', title: 'Imprint' }],
})
const randomness = systemRandomness()
const ids = idSource(clock, randomness)
const noQuery = Type.Object({}, { additionalProperties: false })

const nameForm = (facts: PageBaseContext, values = {}, errors = {}) => ({
  kind: 'page' as const,
  title: 'Name',
  main: html`<h1>Name</h1>${form({
    language: facts.language,
    action: facts.link('/name'),
    formToken: facts.formToken,
    fields: [{ name: 'name', label: 'Name', hint: 'Any name.' }],
    values,
    errors,
    submit: 'Send',
  })}`,
  formTargets: ['https://shop.example/back?x=1', 'com.example.app:/back'],
})

const note = statement('test.note', 'insert into revisions (subject, revision) values ($1, 1)')
const noted = statement<{ subject: string }>('test.noted', 'select subject from revisions order by subject')

const following = { isFailing: false, done: 0 }

const routes = [
  pageRead({
    path: '/stores/:store',
    query: Type.Object({ store: Type.String() }, { additionalProperties: false }),
    show: async ({ query: { store } }) => ({ kind: 'page', title: store, main: html`<h1>Sale</h1>`, stores: [store] }),
  }),
  pageRead({
    path: '/things/:thing',
    query: Type.Object(
      { thing: Type.String({ pattern: '^[a-z]+$' }), who: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    show: async ({ query }, { requestedLanguage }) => ({
      kind: 'page',
      title: query.thing,
      main: html`<h1>${query.thing} ${query.who} ${requestedLanguage}</h1>`,
      language: 'de',
      images: ['https://pictures.example/a.png', 'https://pictures.example/b.png'],
      refresh: { seconds: 3, to: '/things/mug' },
    }),
  }),
  pageWrite({
    path: '/later',
    query: noQuery,
    form: noQuery,
    async work(_input, { tx }) {
      tx.write(note, ['LATER'])
      return {
        kind: 'redirect',
        to: '/done',
        async afterCommit() {
          assert.deepEqual(
            (await database.reader.rows(noted)).some(({ subject }) => subject === 'LATER'),
            true,
          )
          following.done += 1
          if (following.isFailing) throw new Error('the secret of what follows')
        },
      }
    },
    refused: async () => null,
  }),
  pageWrite({
    path: '/things/:thing/parts/remove',
    query: Type.Object({ thing: Type.String(), who: Type.Optional(Type.String()) }, { additionalProperties: false }),
    form: noQuery,
    work: async () => refuse('unavailable'),
    refused: async () => null,
  }),
  pageRead({
    path: '/mailed',
    query: Type.Object({ token: Type.String() }, { additionalProperties: false }),
    show: async (_input, context) => nameForm(context),
  }),
  pageWrite({
    path: '/mailed',
    query: noQuery,
    form: Type.Object({ token: Type.String() }, { additionalProperties: false }),
    work: async () => ({ kind: 'redirect', to: '/done' }),
    refused: async () => null,
  }),
  pageRead({
    path: '/name',
    query: Type.Object({ who: Type.Optional(Type.String({ maxLength: 20 })) }, { additionalProperties: false }),
    show: async ({ query }, context) => nameForm(context, { name: query.who }),
  }),
  pageWrite({
    path: '/name',
    query: noQuery,
    form: Type.Object({ name: Type.String({ maxLength: 20 }) }, { additionalProperties: false }),
    limit: 'register',
    prepare: async ({ form }) => form.name.toUpperCase(),
    async work({ prepared }, { tx, link }) {
      tx.write(note, [prepared])
      if (prepared === 'UNKNOWN') refuse('validation_failed')
      if (prepared === 'GONE') refuse('not_found')
      if (prepared === 'BUSY') refuse('unavailable')
      if (prepared === 'FAULT') throw new Error('the secret of the fault')
      if (prepared === 'FULL') throw Object.assign(new DatabaseError('no space left', 0, 'error'), { code: '53100' })
      return { kind: 'redirect', to: link('/done'), cookies: [{ name: 'customer', value: 'x'.repeat(43) }] }
    },
    refused: async ({ code }, { form }, context) =>
      code === 'not_found' || code === 'unavailable'
        ? null
        : { ...nameForm(context, form, { name: `Not <${form.name}>` }), status: 400, hasErrors: true },
  }),
]

const log = logger('silent')
let database: Database
let door: FastifyInstance
let secureDoor: FastifyInstance
before(async () => {
  ;({ database } = await testDatabase())
  const open = (pagesUrl: string, limits = false) => {
    const app = fastify({ genReqId: () => ids.next('req') })
    const limited = rateLimiter(database.reader, rateLimitPolicies({ register: { limit: 2, burst: 2 } }))
    // The doors share a database, and therefore their counters.
    const limiter = limits ? limited : { ...limited, take: async () => null }
    const parts = {
      database,
      clock,
      ids,
      randomness,
      limiter,
      log,
      metrics: createMetrics(),
      pagesUrl,
    }
    servePages(
      app,
      { ...parts, trustedProxies: 0, formSecret: Buffer.alloc(32, 7), publicUrl: 'https://api.example', seller },
      routes,
    )
    return app
  }
  door = open('http://pages.example')
  secureDoor = open('https://pages.example', true)
})

/** A browser with the form loaded. */
async function visit(app = door) {
  const answer = await app.inject('/name')
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!
  const token = /name="form_token" value="([^"]+)"/.exec(answer.payload)![1]!
  return {
    send: (fields: Record<string, string>, more: Partial<InjectOptions> = {}) =>
      app.inject({
        method: 'POST',
        url: '/name',
        payload: new URLSearchParams({ form_token: token, ...fields }).toString(),
        ...more,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
      }),
  }
}

test('a page that cannot be laid out is an error page, and its span ends', async () => {
  spans.length = 0
  const { statusCode, payload } = await door.inject('/stores/store_broken')
  assert.deepEqual([statusCode, /went wrong/.test(payload)], [500, true])
  assert.deepEqual(
    spans.map(({ name, attributes }) => [name, attributes['http.response.status_code']]),
    [['page /stores/:store', 500]],
  )
})

describe('every page', () => {
  test('loads only its stylesheet, cannot be framed, sends no referrer and is not cached', async () => {
    for (const url of ['/name', '/nowhere', '/name?zz=1']) {
      const { headers } = await door.inject(url)
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'.*; frame-ancestors 'none'; base-uri 'none'$/,
      )
      assert.deepEqual(
        [headers['referrer-policy'], headers['x-content-type-options'], headers['cross-origin-opener-policy']],
        ['no-referrer', 'nosniff', 'same-origin'],
      )
      assert.equal(headers['cache-control'], 'private, no-store')
    }
  })

  test('of a store has its name, logo and style, and its policy allows only that style', async () => {
    const { payload, headers } = await door.inject('/stores/store_1')
    const [, css] = /<style>([^<]+)<\/style>/.exec(payload)!
    const hash = createHash('sha256').update(css!).digest('base64')
    const policy = String(headers['content-security-policy'])
    assert(policy.includes(`style-src 'self' 'sha256-${hash}'; img-src 'self' data: https://api.example;`), policy)
    assert.match(css!, /^:root\{--paper:#ffffff;.*--accent:#2f5d50;.*prefers-color-scheme:dark/)
    assert.match(payload, /<img src="https:\/\/api\.example\/media\/logo\.svg"[^>]*><span>Havelton</)
  })

  test('links to the documents in force and the contact of the seller, error pages too', async () => {
    for (const url of ['/name', '/nowhere']) {
      const { payload } = await door.inject(`${url}?locale=de`)
      assert.match(payload, /<a href="\/legal\?document=leg_1&amp;locale=de">Imprint<\/a>/, url)
      assert.match(payload, /<a href="mailto:hello@market\.example">/, url)
    }
  })

  test('allows forms to redirect only to their targets, by origin or scheme', async () => {
    const { headers } = await door.inject('/name')
    assert.match(
      String(headers['content-security-policy']),
      /form-action 'self' https:\/\/shop\.example com\.example\.app:;/,
    )
  })

  test('has no script, inline style or event handler', async () => {
    const { payload } = await door.inject('/name')
    assert.doesNotMatch(payload, /<script|<style|\sstyle=|\son\w+=/i)
  })

  test('escapes its output', async () => {
    const { payload } = await door.inject('/name?who=%22%3E%3Cb%3E')
    assert.match(payload, /value="&quot;&gt;&lt;b&gt;"/)
    assert.match(payload, /Market &amp; Sons/)
  })

  test('uses the language of the URL, else of the browser, else English', async () => {
    const language = async (url: string, accepted?: string) => {
      const { payload } = await door.inject({ url, headers: accepted ? { 'accept-language': accepted } : {} })
      return /<html lang="(\w+)">/.exec(payload)![1]
    }
    assert.equal(await language('/name'), 'en')
    assert.equal(await language('/name', 'fr, de-CH;q=0.8, en;q=0.5'), 'de')
    assert.equal(await language('/name?locale=de-AT', 'en'), 'de')
    assert.equal(await language('/name?locale=xx', 'de'), 'de')
  })

  test('links to itself in each language, with its query', async () => {
    const { payload } = await door.inject('/name?who=ada')
    assert.match(payload, /<a href="\/name\?who=ada&amp;locale=de" hreflang="de" lang="de">Deutsch<\/a>/)
  })

  test('has the request id in a header', async () => {
    assert.match(String((await door.inject('/name')).headers['x-request-id']), /^req_/)
  })
})

describe('the visit cookie', () => {
  test('is set once, HttpOnly and SameSite', async () => {
    const first = await door.inject('/name')
    assert.match(String(first.headers['set-cookie']), /^vitrine-visit=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = String(first.headers['set-cookie']).split(';')[0]!
    assert.equal((await door.inject({ url: '/name', headers: { cookie } })).headers['set-cookie'], undefined)
  })

  test('has the __Host- prefix and Secure with https', async () => {
    const { headers } = await secureDoor.inject('/name')
    assert.match(
      String(headers['set-cookie']),
      /^__Host-vitrine-visit=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('is renewed on sign-in, which invalidates earlier forms', async () => {
    const { send } = await visit()
    const { headers } = await send({ name: 'renewing' })
    const cookies = headers['set-cookie'] as string[]
    assert.match(cookies[0]!, /^vitrine-customer=x{43}; /)
    const cookie = cookies[1]!.split(';')[0]!
    assert.equal((await send({ name: 'before' }, { headers: { cookie } })).statusCode, 403)
  })
})

describe('a form', () => {
  test('does its work and redirects with 303', async () => {
    const { send } = await visit()
    const answer = await send({ name: 'ada' }, { url: '/name?locale=de' })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/done?locale=de'])
    assert((await database.reader.rows(noted)).some(({ subject }) => subject === 'ADA'))
  })

  test('has one effect on two clicks, which get the same answer with its cookies, also after a sign-in', async () => {
    const { send } = await visit()
    const answers = await Promise.all([send({ name: 'twice' }), send({ name: 'twice' })])
    const cookies = answers.map(({ headers }) => headers['set-cookie'] as string[])
    assert.deepEqual(
      answers.map(({ statusCode, headers }) => [statusCode, headers.location]),
      [
        [303, '/done'],
        [303, '/done'],
      ],
    )
    assert.deepEqual(
      cookies.map(([session]) => session?.split(';')[0]),
      Array(2).fill(`vitrine-customer=${'x'.repeat(43)}`),
    )
    const cookie = cookies[0]![1]!.split(';')[0]!
    assert.equal((await send({ name: 'twice' }, { headers: { cookie } })).statusCode, 303)
    assert.equal((await send({ name: 'other' }, { headers: { cookie } })).statusCode, 403)
    clock.advance(11_000)
    assert.equal((await send({ name: 'twice' }, { headers: { cookie } })).statusCode, 403, 'no second click anymore')
    const stored = await database.reader.rows(statement<object>('test.submissions', 'select * from form_submissions'))
    assert.doesNotMatch(JSON.stringify(stored.map((row) => Object.values(row).map(String))), /x{43}|twice|\/done/i)
  })

  test('is rendered again with errors and values after a rollback', async () => {
    const { send } = await visit()
    const answer = await send({ name: 'unknown' })
    assert.equal(answer.statusCode, 400)
    assert.match(answer.payload, /<title>Error: Name · /)
    assert.match(answer.payload, /<a href="#name">Not &lt;unknown&gt;<\/a>/)
    assert.match(answer.payload, /aria-describedby="name-hint name-error" aria-invalid="true"[^>]* value="unknown"/)
    assert(!(await database.reader.rows(noted)).some(({ subject }) => subject === 'UNKNOWN'))
  })

  test('is rendered again if a field is invalid', async () => {
    const { send } = await visit()
    const answer = await send({ name: 'x'.repeat(21) })
    assert.deepEqual([answer.statusCode, /id="name-error"/.test(answer.payload)], [400, true])
  })

  test('redirects to its page if its address is opened, as by a browser that restores a tab', async () => {
    const { statusCode, headers } = await door.inject('/things/mug/parts/remove?who=ada')
    assert.deepEqual([statusCode, headers.location], [303, '/things/mug?who=ada'])
    assert.equal((await door.inject('/later')).headers.location, '/', 'a form without a page')
  })

  test('has no NUL in its fields, which PostgreSQL cannot store', async () => {
    const { send } = await visit()
    assert.equal((await send({ name: 'be\0tty' })).statusCode, 303)
    assert.ok((await database.reader.rows(noted)).some(({ subject }) => subject === 'BETTY'))
  })

  test('400 for an unknown field, another content type, or more than 64 KiB', async () => {
    const { send } = await visit()
    assert.equal((await send({ name: 'ada', zz: '1' })).statusCode, 400)
    assert.equal((await send({}, { payload: '{}', headers: { 'content-type': 'application/json' } })).statusCode, 400)
    assert.equal((await send({ name: 'x'.repeat(65_536) })).statusCode, 400)
    assert.equal((await door.inject({ method: 'POST', url: '/name' })).statusCode, 400)
  })

  test("403 without a token, with another visit's, without a cookie, or from another site", async () => {
    const { send } = await visit()
    assert.equal((await send({ name: 'ada', form_token: '' })).statusCode, 403)
    assert.equal((await send({ name: 'ada', form_token: 'x'.repeat(43) })).statusCode, 403)
    assert.equal((await send({ name: 'ada' }, { headers: { cookie: '' } })).statusCode, 403)
    assert.equal(
      (await send({ name: 'ada' }, { headers: { cookie: `vitrine-visit=${'y'.repeat(32)}` } })).statusCode,
      403,
    )
    assert.equal((await send({ name: 'ada' }, { headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
    assert.equal((await send({ name: 'seen' }, { headers: { 'sec-fetch-site': 'same-origin' } })).statusCode, 303)
  })

  test('429 beyond the rate limit of an address, with the time to wait', async () => {
    const { send } = await visit(secureDoor)
    for (const _ of [1, 2]) assert.notEqual((await send({ name: 'unknown' })).statusCode, 429)
    const answer = await send({ name: 'unknown' })
    assert.equal(answer.statusCode, 429)
    assert.match(answer.payload, /You can try again in 30 minutes\./)
  })
})

describe('the error page', () => {
  test('404 for an unknown path or method, and for not_found', async () => {
    const { send } = await visit()
    for (const answer of [
      await door.inject('/nowhere'),
      await door.inject({ method: 'PUT', url: '/name' }),
      await send({ name: 'gone' }),
    ]) {
      assert.equal(answer.statusCode, 404)
      assert.match(answer.payload, /<h1>Page not found<\/h1>/)
    }
  })

  test('400 for an unknown parameter', async () => {
    const answer = await door.inject('/name?zz=1&locale=de')
    assert.equal(answer.statusCode, 400)
    assert.match(answer.payload, /<h1>Dieser Link ist unvollständig<\/h1>/)
  })

  test('of a form links to the page of the form, if its address is enough to open it', async () => {
    const { send } = await visit()
    const again = async (url: string, fields = {}) =>
      /<a class="button" href="([^"]*)">Open the page again</.exec((await send(fields, { url })).payload)?.[1]
    assert.equal(await again('/things/mug/parts/remove?who=ada'), '/things/mug?who=ada', 'after a failure')
    assert.equal(await again('/name?locale=en', { form_token: '' }), '/name?locale=en', 'after a form that is too old')
    assert.equal(await again('/mailed', { form_token: '' }), undefined, 'the token is in the form')
    assert.equal(await again('/name', { name: 'gone' }), undefined, 'what is gone')
  })

  test('503 if PostgreSQL has no room left', async () => {
    const { send } = await visit()
    const answer = await send({ name: 'full' })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.payload, /<h1>This page is temporarily unavailable<\/h1>/)
  })

  test('503 of an overloaded door is not logged as an error', async (t) => {
    const { send } = await visit()
    const logged = t.mock.method(log, 'error', () => {})
    assert.equal((await send({ name: 'busy' })).statusCode, 503)
    assert.equal(logged.mock.callCount(), 0)
    await send({ name: 'fault' })
    assert.equal(logged.mock.callCount(), 1)
  })

  test('500 with the request id, but not the message of the error', async () => {
    const { send } = await visit()
    const answer = await send({ name: 'fault' })
    assert.equal(answer.statusCode, 500)
    assert(answer.payload.includes(`<code>${answer.headers['x-request-id']}</code>`))
    assert.doesNotMatch(answer.payload, /secret of the fault/)
  })
})

describe('a page with its own language and images', () => {
  test('receives path parameters, query and the requested language', async () => {
    const { statusCode, payload } = await door.inject('/things/mug?who=ada&locale=en')
    assert.equal(statusCode, 200)
    assert.match(payload, /<h1>mug ada en<\/h1>/)
    assert.match((await door.inject('/things/mug')).payload, /<h1>mug {2}<\/h1>/)
    assert.equal((await door.inject('/things/MUG')).statusCode, 400)
    assert.match((await door.inject('/things/mug?thing=bowl')).payload, /<h1>mug/, 'path parameters win over the query')
  })

  test('overrides the language, allows its images and refreshes itself', async () => {
    const { headers, payload } = await door.inject('/things/mug')
    assert.match(payload, /<html lang="de">/)
    assert.match(String(headers['content-security-policy']), /img-src 'self' data: https:\/\/pictures\.example;/)
    assert.equal(headers.refresh, '3; url=/things/mug')
  })
})

describe('work after the commit', () => {
  test('runs after the commit and before the redirect, and its failure does not fail the form', async () => {
    const { send } = await visit()
    const first = await send({}, { url: '/later' })
    assert.deepEqual([first.statusCode, first.headers.location, following.done], [303, '/done', 1])
    await database.transaction(async (tx) => tx.write(statement('test.forget', 'delete from revisions'), []))
    following.isFailing = true
    const second = await (await visit()).send({}, { url: '/later' })
    assert.deepEqual([second.statusCode, second.headers.location, following.done], [303, '/done', 2])
    assert.doesNotMatch(second.payload, /secret/)
  })
})
