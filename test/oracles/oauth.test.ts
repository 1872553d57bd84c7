// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createStaff, prepareStaff } from '@vitrine/server'
import * as dpop from 'dpop'
import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import type { Page } from 'playwright-core'
import { client as clientOf } from '../support/client.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { assertAccessible, openPage } from '../support/pages/browser.ts'
import { AUTHORIZE, CALLBACK, CHALLENGE, posterOf, registerApp } from '../support/pages/oauth.ts'

const CART = { currency: 'EUR', country: 'DE' }
const PASSWORD = 'seven kettles on a wall'

let shop: Shop
/** How many seconds the clock of the shop is ahead of the libraries' clock. */
let clockSkew: number
before(async () => {
  shop = await startShop()
  await shop.openPages()
  const staff = await prepareStaff({ storeSlug: 'ceramics', email: 'ada@ceramics.example', password: PASSWORD })
  await shop.database.transaction((tx) => createStaff(tx, staff, { ids: shop.ids, now: shop.clock.now() }))
  clockSkew = Math.round((shop.clock.now().getTime() - Date.now()) / 1000)
})

/** The issuer is not the address that a test server listens on. The skew stays the same, however long a test takes. */
function toServer(url: string | URL, init?: object): Promise<Response> {
  shop.clock.advance(Math.max(0, Date.now() + clockSkew * 1000 - shop.clock.now().getTime()))
  return fetch(String(url).replace(shop.publicUrl, shop.origin), init as RequestInit)
}

/** The metadata in RFC 8414 form, read from the server itself. */
async function discover(): Promise<oauth.AuthorizationServer> {
  const { body } = await shop.anonymous.get(AUTHORIZE)
  const entries = Object.entries(body.data.result.server).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(entries) as unknown as oauth.AuthorizationServer
}

/** Follows an authorization URL, consents in a browser, and returns the URL it was redirected to. */
async function consentTo(authorization: URL, decision: 'Grant access' | 'Deny' = 'Grant access'): Promise<URL> {
  const { body } = await shop.anonymous.get(authorization.pathname + authorization.search)
  assert.equal(body.data?.result.interaction.url.startsWith(await shop.openPages()), true, JSON.stringify(body))
  const page = await openPage({ javaScriptEnabled: false })
  const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK))
  await page.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'back in the app' }))
  await page.goto(body.data.result.interaction.url)
  await signIn(page)
  await page.getByRole('button', { name: decision }).click()
  const url = new URL((await back).url())
  await page.context().close()
  return url
}

/**
 * Sends a request with a proof by the package `dpop`, and again with the nonce from the response. Libraries send
 * none to the revocation endpoint, since RFC 7009 is older than RFC 9449.
 */
function provenBy(keys: dpop.KeyPair) {
  return async (url: string | URL, init: object): Promise<Response> => {
    const send = async (nonce?: string) => {
      const { headers } = init as { readonly headers: Headers | Record<string, string> }
      const proven = new Headers(headers)
      proven.set('dpop', await dpop.generateProof(keys, String(url), 'POST', nonce))
      return toServer(url, { ...init, headers: proven })
    }
    const first = await send()
    assert.deepEqual([first.status, ((await first.clone().json()) as { error: string }).error], [400, 'use_dpop_nonce'])
    return send(String(first.headers.get('dpop-nonce')))
  }
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
      const options = { DPoP, [oauth.customFetch]: toServer }
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

      const revocation = { [oauth.customFetch]: provenBy(proofKeys) }
      const token = String(refreshed.refresh_token)
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, authentication, token, revocation),
      )
      await assert.rejects(write(refreshed.access_token), oauth.WWWAuthenticateChallengeError)
    })
  }
})

describe('openid-client', () => {
  test('completes consent, tokens, writes, refresh and revocation', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const metadata = (await discover()) as unknown as openid.ServerMetadata
    const client = { client_id: app.clientId, [openid.clockSkew]: clockSkew }
    const config = new openid.Configuration(metadata, app.clientId, client as never, openid.None())
    config[openid.customFetch] = toServer as never
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

    config[openid.customFetch] = provenBy(keys) as never
    await openid.tokenRevocation(config, refreshed.access_token)
    config[openid.customFetch] = toServer as never
    await assert.rejects(write(refreshed.access_token))
    assert.equal((await write(tokens.access_token)).status, 200)
  })

  test('gets access_denied with state and issuer if staff denies', async () => {
    const app = await registerApp(shop, { storeSlug: 'ceramics' })
    const back = await consentTo(authorizationFor(app.clientId), 'Deny')
    const { error, code, iss, state } = Object.fromEntries(back.searchParams)
    assert.deepEqual([error, code, iss, state], ['access_denied', undefined, shop.publicUrl, 'a state of its own'])
  })
})

/** The authorization request of RFC 7636, appendix B. */
function authorizationFor(clientId: string, more: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(shop.publicUrl + AUTHORIZE)
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
  const { pathname, search } = authorizationFor(clientId, more)
  const { body } = await shop.anonymous.get(pathname + search)
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
      const { pathname, search } = authorizationFor(app.clientId, more)
      await page.goto((await shop.anonymous.get(pathname + search)).body.data.result.interaction.url)
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
