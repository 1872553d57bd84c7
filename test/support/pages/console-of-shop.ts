import type { Locator, Page } from 'playwright-core'
import { checkoutClient } from '../commerce/checkout.ts'
import { startShop } from '../commerce/shop.ts'
import { operatorClient } from '../operator.ts'
import { setUp } from './console.ts'

/** A shop with an open console, whose first operator is signed in. */
export async function startConsoleOfShop(options: Parameters<typeof startShop>[0] = {}) {
  const shop = await startShop({ simulator: true, ...options })
  const client = await checkoutClient(shop)
  const console = await setUp(shop)
  return { shop, client, console, page: console.page, operator: await operatorClient(shop) }
}
export type ConsoleOfShop = Awaited<ReturnType<typeof startConsoleOfShop>>

/** Elements of the page of a console that is started later. */
export function elementsOf(page: () => Page) {
  const buttonIn = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
  const dialog = () => page().getByRole('dialog')
  return {
    dialog,
    button: (name: string) => buttonIn(page(), name),
    dialogButton: (name: string) => buttonIn(dialog(), name),
    section: (name: string) =>
      page()
        .locator('section.card')
        .filter({ has: page().getByRole('heading', { name }) }),
  }
}
