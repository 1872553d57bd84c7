import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ClientOptions, vitrine } from '@vitrine/sdk'

/** From a search to a price that is promised and that anybody can verify. Needs a key that is bound to a key pair. */
export async function firstQuote(options: ClientOptions) {
  const shop = vitrine(options)

  // Find something. Public reads need no key.
  const found = await shop.call('searchCatalogProducts', { query: { q: 'mug', locale: 'en', limit: 1 } })
  const { slug } = only(found.data)
  const product = await shop.call('getCatalogProduct', { params: { slug }, query: { locale: 'en' } })

  // Fill a cart. The client makes the proof of its key, and a key that names the effect, for each write.
  const cart = await shop.call('createPublicCart', {
    body: { currency: 'EUR', country: 'DE', locale: 'en', lines: [{ skuId: only(product.skus).id, quantity: 2 }] },
  })
  const params = { cartId: cart.id }

  // Say where it goes, and choose how from what is offered there.
  const addressed = await shop.call('setPublicCartAddress', {
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

  // Ask for a price that stands: until it expires, whatever prices do.
  const quote = await shop.call('quotePublicCart', { params, body: { shippingOptionId: shipping.id } })

  // The signature is over the very bytes of the quote, by a key that the service publishes.
  const { quote: rules } = await shop.call('getRuntimeConfig')
  const published = rules.publicKeys.find((key) => key.kid === quote.signature.kid)
  if (!published) throw new Error(`nobody has published the key ${quote.signature.kid}`)
  const isGenuine = verify(
    null,
    Buffer.from(quote.signature.payload, 'base64url'),
    createPublicKey({ key: published as JsonWebKey, format: 'jwk' }),
    Buffer.from(quote.signature.value, 'base64url'),
  )
  return { product: product.name, quote, isGenuine }
}

/** The first of a list that must have one. */
function only<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('the list is empty: is the demo loaded?')
  return first
}

// Called by itself, it asks the demo that `npm start` has opened.
if (process.argv[1] === import.meta.filename) {
  const { boundKey, privateKeyFile } = JSON.parse(await readFile('.data/demo-keys.json', 'utf8'))
  const { product, quote, isGenuine } = await firstQuote({
    baseUrl: 'http://127.0.0.1:8080',
    key: boundKey,
    privateKey: JSON.parse(await readFile(resolve('.data', privateKeyFile), 'utf8')),
  })
  const { total } = quote.totals
  console.log(`2 × ${product}: ${(total.amount / 100).toFixed(2)} ${total.currency} until ${quote.expiresAt}`)
  console.log(isGenuine ? 'The signature is genuine.' : 'The signature is NOT genuine.')
}
