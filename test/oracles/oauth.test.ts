// test: long
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { createStaff, prepareStaff } from '@vitrine/server'
import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import type { Page } from 'playwright-core'
import { client as clientOf } from '../support/client.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { atFileEnd } from '../support/file-end.ts'
import { assertAccessible, openPage } from '../support/pages/browser.ts'
import { AUTHORIZE, CALLBACK, CHALLENGE, posterOf, registerApp } from '../support/pages/oauth.ts'

const CART = { currency: 'EUR', country: 'DE' }
const PASSWORD = 'seven kettles on a wall'

let shop: Shop
/** How many seconds the clock of the shop is ahead of the libraries' clock. */
let clockSkew: number
let issuer: URL
before(async () => {
  shop = await startShop({ isReachable: true })
  await shop.openPages()
  const staff = await prepareStaff({ storeSlug: 'ceramics', email: 'ada@ceramics.example', password: PASSWORD })
  await shop.database.transaction((tx) => createStaff(tx, staff, { ids: shop.ids, now: shop.clock.now() }))
  issuer = new URL(shop.pagesUrl)
  clockSkew = Math.round((shop.clock.now().getTime() - Date.now()) / 1000)
})

/** The skew stays the same, however long a test takes. */
function keepTime(url: string | URL, init?: object): Promise<Response> {
  shop.clock.advance(Math.max(0, Date.now() + clockSkew * 1000 - shop.clock.now().getTime()))
  return fetch(url, init as RequestInit)
}

/** Both libraries insist on https. */
const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: keepTime } as const

async function discover(): Promise<oauth.AuthorizationServer> {
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  return oauth.processDiscoveryResponse(issuer, answer)
}

/** Follows an authorization URL in a browser, consents, and returns the URL it was redirected to. */
async function consentTo(authorization: URL, decision: 'Grant access' | 'Deny' = 'Grant access'): Promise<URL> {
  const page = await openPage({ javaScriptEnabled: false })
  const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK))
  await page.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'back in the app' }))
  await page.goto(authorization.href)
  await signIn(page)
  await page.getByRole('button', { name: decision }).click()
  const url = new URL((await back).url())
  await page.context().close()
  return url
}

describe('oauth4webapi', () => {
  for (const [name, kind] of [
    ['a public client', 'none'],
    ['a client with private_key_jwt', 'private_key_jwt'],
  ] as const) {
    test(`${name} completes consent, tokens, writes, refresh and revocation`, async () => {
      const as = await discover()
      const keys = await oauth.generateKeyPair('ES256', { extractable: true })
      const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one' }] }
      const app = await registerApp(shop, { storeSlug: 'ceramics', ...(kind === 'private_key_jwt' && { jwks }) })
      const client: oauth.Client = { client_id: app.clientId, [oauth.clockSkew]: clockSkew }
      const authentication = kind === 'none' ? oauth.None() : oauth.PrivateKeyJwt({ key: keys.privateKey, kid: 'one' })
      const proofKeys = await oauth.generateKeyPair('ES256')
      const DPoP = oauth.DPoP(client, proofKeys)
      const options = { DPoP, ...insecure }
      /** The one retry that RFC 9449 §8 requires of a client. */
      const withNonce = async <Result>(ask: () => Promise<Result>) => {
        try {
          return await ask()
        } catch (error) {
          if (!oauth.isDPoPNonceError(error)) throw error
          return ask()
        }
      }

      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const authorization = new URL(String(as.authorization_endpoint))
      authorization.search = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: CALLBACK,
        scope: 'catalog:read checkout:quote',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        dpop_jkt: await DPoP.calculateThumbprint(),
      }).toString()
      const parameters = oauth.validateAuthResponse(as, client, await consentTo(authorization), state)

      const tokens = await withNonce(async () =>
        oauth.processAuthorizationCodeResponse(
          as,
          client,
          await oauth.authorizationCodeGrantRequest(
            as,
            client,
            authentication,
            parameters,
            CALLBACK,
            verifier,
            options,
          ),
        ),
      )
      assert.deepEqual([tokens.token_type, tokens.scope], ['dpop', 'catalog:read checkout:quote'])

      const write = (token: string) =>
        oauth.protectedResourceRequest(
          token,
          'POST',
          new URL(shop.publicUrl + CARTS),
          new Headers({ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
          JSON.stringify(CART),
          options,
        )
      const cart = await withNonce(() => write(tokens.access_token))
      assert.equal(cart.status, 200, await cart.clone().text())

      const refreshed = await withNonce(async () =>
        oauth.processRefreshTokenResponse(
          as,
          client,
          await oauth.refreshTokenGrantRequest(as, client, authentication, String(tokens.refresh_token), options),
        ),
      )
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
      assert.equal((await write(refreshed.access_token)).status, 200)

      const token = String(refreshed.refresh_token)
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authentication, token, insecure))
      await assert.rejects(write(refreshed.access_token), oauth.WWWAuthenticateChallengeError)
    })
  }
})

describe('openid-client', () => {
  test('completes consent, tokens, writes, refresh and revocation', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const client = { client_id: app.clientId, [openid.clockSkew]: clockSkew }
    const config = await openid.discovery(issuer, app.clientId, client as never, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: keepTime as never,
    })
    const keys = await openid.randomDPoPKeyPair('Ed25519')
    const DPoP = openid.getDPoPHandle(config, keys)
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()

    const back = await consentTo(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'catalog:read',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    )
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP })

    const write = (token: string) =>
      openid.fetchProtectedResource(
        config,
        token,
        new URL(shop.publicUrl + CARTS),
        'POST',
        JSON.stringify(CART),
        new Headers({ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
        { DPoP },
      )
    assert.equal((await write(tokens.access_token)).status, 200)

    const refreshed = await openid.refreshTokenGrant(config, String(tokens.refresh_token), undefined, { DPoP })
    assert.equal((await write(refreshed.access_token)).status, 200)

    await openid.tokenRevocation(config, refreshed.access_token)
    await assert.rejects(write(refreshed.access_token))
    assert.equal((await write(tokens.access_token)).status, 200)
  })

  test('gets access_denied with state and issuer if staff denies', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const back = await consentTo(authorizationFor(app.clientId), 'Deny')
    const { error, code, iss, state } = Object.fromEntries(back.searchParams)
    assert.deepEqual([error, code, iss, state], ['access_denied', undefined, shop.pagesUrl, 'a state of its own'])
  })
})

/** An app in a browser: a page that uses the library as it is, and tells its tests what happened. */
const APP = `
import * as oauth from '/oauth4webapi.js'
const insecure = { [oauth.allowInsecureRequests]: true }
const REDIRECT = '${CALLBACK}'
let as, client, DPoP, verifier, tokens
async function withNonce(ask) {
  try { return await ask() } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return ask()
  }
}
window.app = {
  async begin({ issuer, clientId, clockSkew }) {
    const url = new URL(issuer)
    as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure }))
    client = { client_id: clientId, [oauth.clockSkew]: clockSkew }
    DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    verifier = oauth.generateRandomCodeVerifier()
    const to = new URL(as.authorization_endpoint)
    to.search = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 'one',
      scope: 'catalog:read', code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' })
    return to.href
  },
  async finish(back) {
    const parameters = oauth.validateAuthResponse(as, client, new URL(back), 'one')
    tokens = await withNonce(async () => oauth.processAuthorizationCodeResponse(as, client,
      await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, REDIRECT, verifier, { DPoP, ...insecure })))
  },
  async identity(api) {
    try {
      const url = new URL(api + '/api/v1/open/installation/identity')
      const answer = await oauth.protectedResourceRequest(tokens.access_token, 'GET', url, undefined, null, { DPoP, ...insecure })
      return String(answer.status)
    } catch (error) {
      if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
      const { code } = await error.response.json()
      return [error.status, code, ...error.cause.map(({ scheme, parameters }) => scheme + ' ' + parameters.error)].join(' ')
    }
  },
  async refresh() {
    tokens = await withNonce(async () => oauth.processRefreshTokenResponse(as, client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token, { DPoP, ...insecure })))
  },
  async revoke() {
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), tokens.refresh_token, insecure))
  },
}`

describe('oauth4webapi in a browser page of a registered origin', () => {
  test('sees that its token has ended, refreshes and revokes', async () => {
    const library = await readFile(new URL(import.meta.resolve('oauth4webapi')), 'utf8')
    const files: Readonly<Record<string, readonly [string, string]>> = {
      '/': ['text/html', '<!doctype html><title>app</title><script type="module" src="/app.js"></script>'],
      '/app.js': ['text/javascript', APP],
      '/oauth4webapi.js': ['text/javascript', library],
    }
    const server = createServer((request, response) => {
      const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
      response.setHeader('content-type', type).end(body)
    }).listen(0, '127.0.0.1')
    atFileEnd(async () => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const installationId = await shop.installation({ storeSlug: 'ceramics', origins: [origin] })
    const app = await registerApp(shop, { installationId })
    const page = await openPage()
    await page.goto(`${origin}/`)
    await page.waitForFunction('window.app !== undefined')
    const run = <Result>(call: string) => page.evaluate<Result>(`window.app.${call}`)
    const identity = () => run<string>(`identity(${JSON.stringify(shop.publicUrl)})`)

    const begin = { issuer: shop.pagesUrl, clientId: app.clientId, clockSkew }
    const authorization = await run<string>(`begin(${JSON.stringify(begin)})`)
    const back = await consentTo(new URL(authorization))
    await run(`finish(${JSON.stringify(back.href)})`)
    assert.equal(await identity(), '200')

    shop.clock.advance(600_000)
    assert.equal(await identity(), '401 credential_expired dpop invalid_token')
    // The proofs of the page are ten minutes old by now: the nonce stands in for its clock.
    await run('refresh()')
    await run('revoke()')
    assert.equal(await identity(), '401 credential_revoked dpop invalid_token')
  })
})

/** The authorization request of RFC 7636, appendix B. */
function authorizationFor(clientId: string, more: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(`${shop.pagesUrl}/oauth/authorize`)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'a state of its own',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
  url.search = new URLSearchParams(parameters).toString()
  return url
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('ada@ceramics.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The consent page of a request, in a browser. */
async function consentPage(clientId: string, more: Readonly<Record<string, string>> = {}) {
  const { body } = await shop.anonymous.get(AUTHORIZE + authorizationFor(clientId, more).search)
  const page = await openPage()
  const answer = await page.goto(body.data.result.interaction.url)
  return { page, headers: answer?.headers() ?? {}, url: body.data.result.interaction.url as string }
}

describe('the consent page', () => {
  test('shows the app, the scopes, the store and the redirect, and is accessible', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const { page } = await consentPage(app.clientId, { scope: 'catalog:read' })
    await assertAccessible(page)
    await page.getByLabel('Email address').fill('ada@ceramics.example')
    await page.getByLabel('Password').fill('not the password at all')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Wrong email address or password').waitFor()
    await assertAccessible(page)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Grant access?' }).waitFor()
    await assertAccessible(page)
    const text = await page.locator('main').innerText()
    for (const expected of ['A test installation', 'ceramics', 'catalog:read', 'https://app.example']) {
      assert(text.includes(expected), `${expected} in ${text}`)
    }
    assert(!text.includes('webhooks'), text)
  })

  test('cannot be framed, and its form may redirect to the app only', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const { page, headers } = await consentPage(app.clientId)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
    await page.getByLabel('Email address').fill('ada@ceramics.example')
    await page.getByLabel('Password').fill(PASSWORD)
    const shown = page.waitForResponse((response) => response.url().includes('/oauth/consent'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const policy = String((await shown).headers()['content-security-policy'])
    assert.match(policy, /form-action 'self' https:\/\/app\.example;/)
  })

  test('refuses a decision submitted from another origin', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const { url } = await consentPage(app.clientId)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: 'decision=approve',
      redirect: 'manual',
    })
    assert.equal(answer.status, 403)
  })

  test("leaves an app of another store to that store's staff", async () => {
    const [other] = await shop.query(`select slug from stores where slug <> 'ceramics' limit 1`)
    const app = await registerApp(shop, { storeSlug: String(other?.slug) })
    const { page } = await consentPage(app.clientId)
    await signIn(page)
    await page.getByRole('heading', { name: 'You can’t approve this request' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Grant access' }).count(), 0)
    await assertAccessible(page)
  })

  test('limits a marketplace app to the store that grants it', async () => {
    const app = await registerApp(shop)
    const back = await consentTo(authorizationFor(app.clientId))
    const { body } = await posterOf(shop).exchange(app, String(back.searchParams.get('code')))
    const { origin, publicUrl, clock } = shop
    const token = clientOf({ origin, publicUrl, clock, key: body.access_token, proof: app.proof })
    const identity = await token.get('/api/v1/open/installation/identity')
    assert.equal(identity.body.data.store.slug, 'ceramics')
  })

  test('shows consent at once to signed-in staff, or sign-in again with prompt=login', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const { page } = await consentPage(app.clientId)
    await signIn(page)
    const open = async (more: Readonly<Record<string, string>>) => {
      shop.clock.advance(1000)
      await page.goto(authorizationFor(app.clientId, more).href)
      return page.locator('h1').innerText()
    }
    assert.equal(await open({}), 'Grant access?')
    assert.equal(await open({ prompt: 'login' }), 'Sign in as staff')
    await signIn(page)
    assert.equal(await page.locator('h1').innerText(), 'Grant access?')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in as staff' }).waitFor()
  })

  test('expires with the request after five minutes', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const { page } = await consentPage(app.clientId)
    shop.clock.advance(300_000)
    await page.reload()
    await page.getByRole('heading', { name: 'This request has expired' }).waitFor()
    await assertAccessible(page)
  })
})
