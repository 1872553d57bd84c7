import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStaff, prepareStaff } from '@vitrine/server'
import { connect } from '../../docs/guides/pkce-and-dpop.ts'
import { startShop } from '../support/commerce/shop.ts'
import { openPage } from '../support/pages/browser.ts'
import { CALLBACK, registerApp } from '../support/pages/oauth.ts'

test('the guide to PKCE and DPoP ends with a cart and refreshed tokens', async () => {
  const shop = await startShop({ isReachable: true })
  // The library has the clock of the machine.
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
  await shop.openPages()
  const email = 'ada@ceramics.example'
  const password = 'seven kettles on a shelf'
  const making = { ids: shop.ids, now: shop.clock.now() }
  const staff = await prepareStaff({ storeSlug: 'ceramics', email, password })
  await shop.database.transaction((tx) => createStaff(tx, staff, making))
  const { clientId } = await registerApp(shop, { storeSlug: 'ceramics' })

  const { scope, cart, refreshed } = await connect({
    issuer: new URL(shop.pagesUrl),
    baseUrl: shop.publicUrl,
    clientId,
    redirectUri: CALLBACK,
    async consent(url) {
      const page = await openPage()
      // The app does not exist, so its page fails to load; only the browser's request matters here.
      const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK))
      await page.goto(url)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Grant access' }).click()
      return new URL((await back).url())
    },
  })

  assert.equal(scope, 'catalog:read checkout:quote')
  assert.equal((cart as { data: { status: string } }).data.status, 'active')
  assert.equal(refreshed.scope, scope)
})
