import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ClientOptions, verifyQuote, vitrine } from '@vitrine/sdk'

/** From a search to a binding price with a signature that anyone can verify. Needs a key that is bound to a key pair. */
export async function firstQuote(options: ClientOptions) {
  const shop = vitrine(options)

  // Find a product. Public reads need no key.
  const found = await shop.searchCatalogProducts({ query: { q: 'mug', locale: 'en', limit: 1 } })
  const { slug } = only(found.data)
  const product = await shop.getCatalogProduct({ params: { slug }, query: { locale: 'en' } })

  // Fill a cart. The client creates a proof of possession and an idempotency key for each write.
  const cart = await shop.createPublicCart({
    body: { currency: 'EUR', country: 'DE', locale: 'en', lines: [{ skuId: only(product.skus).id, quantity: 2 }] },
  })
  const params = { cartId: cart.id }

  // Set the address, and choose one of the shipping options it has.
  const addressed = await shop.setPublicCartAddress({
    params,
    body: {
      contact: { email: 'shopper@shop.example' },
      shipping: {
        recipientName: 'A. Shopper',
        line1: 'Invalidenstraße 1',
        city: 'Berlin',
        postalCode: '10115',
        countryCode: 'DE',
      },
    },
  })
  const shipping = only(addressed.shippingOptions)

  // Get a quote: its price is binding until it expires, even if prices change.
  const quote = await shop.quotePublicCart({ params, body: { shippingOptionId: shipping.id } })

  // The signature covers the exact bytes of the quote. The service publishes the public key.
  const { quote: rules } = await shop.getRuntimeConfig()
  const { totals, expiresAt } = await verifyQuote(quote, rules.publicKeys)
  return { product: product.name, quote, totals, expiresAt }
}

/** The first of a list that must have one. */
function only<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('The list is empty. Is the demo loaded?')
  return first
}

/** Uses the demo that `npm start` has opened. */
async function runOnDemo({ DATA_DIR = '.data', PUBLIC_URL = 'http://127.0.0.1:8080' } = process.env) {
  const keys = await readFile(resolve(DATA_DIR, 'demo-keys.json'), 'utf8').catch(() => {
    throw new Error(
      `There is no demo-keys.json in ${DATA_DIR}. Run "npm start" first, and this program in the same folder.`,
    )
  })
  const { boundKey, privateKeyFile } = JSON.parse(keys)
  const privateKey = JSON.parse(await readFile(resolve(DATA_DIR, privateKeyFile), 'utf8'))
  const { product, totals, expiresAt } = await firstQuote({ baseUrl: PUBLIC_URL, key: boundKey, privateKey }).catch(
    (error: unknown) => {
      // The client passes on the TypeError of fetch if nothing answers.
      if (!(error instanceof TypeError)) throw error
      throw new Error(`${PUBLIC_URL} cannot be reached. Run "npm start", or set PUBLIC_URL to where it listens.`)
    },
  )
  const { total } = totals
  console.log(`2 × ${product}: ${(total.amount / 100).toFixed(2)} ${total.currency} until ${expiresAt}`)
  console.log('The signature is genuine.')
}

if (process.argv[1] === import.meta.filename) {
  await runOnDemo().catch(({ message }: Error) => {
    console.error(message)
    process.exitCode = 1
  })
}
