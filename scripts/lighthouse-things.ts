import { globalAgent } from 'node:http'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { payOnPage, shopper } from '../bench/src/page-shopper.ts'

/** Calls the operator API in the current session, and returns the response. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, of which an id is read
type Answer = any

/** How an installation of the demo asks. */
export interface DemoAccess {
  readonly publicUrl: string
  readonly key: string
  readonly privateKey: PrivateJwk
}

const SHOP = 'https://shop.example'
const STORE = 'havelton'
const WAIT_MS = 250
const WAITS_MAX = 120
const SHOPPER = { email: 'shopper@shop.example', password: 'a long enough pass phrase' }
const ADDRESS = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}

/** Where a page finds what its parameter names: the newest of a list. */
const LISTS: Readonly<Record<string, readonly [path: string, idOf: (item: Answer) => string]>> = {
  orderId: ['/orders', ({ order }) => order.id],
  afterSalesId: ['/after-sales', ({ request }) => request.id],
  paymentId: ['/payments?view=all&environment=test', ({ id }) => id],
  customerId: ['/customers', ({ id }) => id],
  productId: ['/products', ({ id }) => id],
  promotionId: ['/promotions', ({ id }) => id],
  storeSlug: ['/stores', ({ slug }) => slug],
  importId: ['/imports', ({ id }) => id],
  documentId: ['/legal-documents', ({ id }) => id],
  installationId: ['/installations', ({ id }) => id],
  endpointId: ['/webhook-endpoints', ({ endpoint }) => endpoint.id],
  mailId: ['/mails', ({ id }) => id],
}

/** The path of a page with what there is in the place of its parameters, or `null` where there is no such thing. */
export async function openable(ask: Ask, path: string): Promise<string | null> {
  const segments = await Promise.all(
    path.split('/').map((part) => (part.startsWith(':') ? newest(ask, part.slice(1)) : part)),
  )
  return segments.includes(null) ? null : segments.join('/')
}

async function newest(ask: Ask, parameter: string): Promise<string | null> {
  if (parameter === 'deliveryId') return newestDelivery(ask)
  const list = LISTS[parameter]
  if (!list) throw new Error(`LISTS does not say where a ${parameter} is found.`)
  const [first] = (await ask('GET', list[0])).items
  return first ? encodeURIComponent(list[1](first)) : null
}

async function newestDelivery(ask: Ask): Promise<string | null> {
  const endpointId = await newest(ask, 'endpointId')
  const [first] = endpointId ? (await ask('GET', `/webhook-endpoints/${endpointId}/deliveries`)).items : []
  return first?.id ?? null
}

/** Makes what the demo has none of: an endpoint that was written to, a customer, an import, an order and a return of it. */
export async function makeThings(ask: Ask, { publicUrl, key, privateKey }: DemoAccess): Promise<void> {
  const installation = vitrine({ baseUrl: publicUrl, key, privateKey })
  const visits = shopper(globalAgent)
  await letShoppersReturn(ask)
  const hooks = await installation.call('createInstallationWebhook', { body: { url: `${SHOP}/hooks`, events: ['*'] } })
  await ask('POST', `/webhook-endpoints/${hooks.id}/test`, { message: 'Hello' })
  await ask(
    'POST',
    `/imports?store=${STORE}&format=jsonl&name=plates.jsonl`,
    Buffer.from('{"type":"product","id":"plate"}'),
  )
  await becomeCustomer()
  const orderId = await buy()
  await deliver()
  await sendBack()

  async function becomeCustomer(): Promise<void> {
    const documents: Answer[] = (await ask('GET', '/legal-documents')).items
    const acceptedDocuments = documents.map(({ type, version }) => ({ type, version }))
    await installation.call('registerOfficialStorefrontCustomer', { body: { ...SHOPPER, acceptedDocuments } })
    const mail = await eventually(async () => (await ask('GET', '/mails')).items[0])
    const link = /https?:\/\/\S+token=\S+/.exec((await ask('GET', `/mails/${mail.id}`)).text)?.[0] ?? ''
    const { text } = await visits.get(link)
    const hidden = text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
    const form = new URL(link)
    form.search = ''
    const { status } = await visits.send(
      form.href,
      Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
    )
    if (status !== 303) throw new Error(`${form.href} answered ${status}.`)
  }

  async function buy(): Promise<string> {
    const [{ id: productId }] = (await ask('GET', `/products?store=${STORE}&q=espresso`)).items
    const [sku] = (await ask('GET', `/products/${productId}`)).skus
    const { id: cartId } = await installation.call('createPublicCart', {
      body: { currency: 'EUR', country: 'DE', lines: [{ skuId: sku.id, quantity: 1 }] },
    })
    const address = { shipping: ADDRESS, contact: { email: SHOPPER.email } }
    const { shippingOptions } = await installation.call('setPublicCartAddress', { params: { cartId }, body: address })
    await installation.call('setPublicCartAddress', {
      params: { cartId },
      body: { shippingOptionId: shippingOptions[0]?.id ?? '' },
    })
    const body = { returnUrl: `${SHOP}/return`, cancelUrl: `${SHOP}/cart` }
    const session = await installation.call('checkoutPublicCart', { params: { cartId }, body })
    await payOnPage(visits, session.url)
    return eventually(async () => (await ask('GET', '/orders')).items[0]?.order.id)
  }

  async function deliver(): Promise<void> {
    const { fulfilments } = await ask('POST', `/orders/${orderId}/parcels`, {})
    for (const { id, allowed } of fulfilments) {
      if (allowed.includes('deliver')) await ask('POST', `/fulfilments/${id}/delivered`, {})
    }
  }

  async function sendBack(): Promise<void> {
    const { order } = await ask('GET', `/orders/${orderId}`)
    const lines = [{ lineId: order.lines[0].id, quantity: 1 }]
    await installation.call('requestStorefrontOrderAfterSales', {
      params: { orderId },
      body: { kind: 'return', reasonCode: 'defective', lines },
    })
  }
}

/** The installations of the demo name no address that shoppers may be sent back to. */
async function letShoppersReturn(ask: Ask): Promise<void> {
  for (const { id } of (await ask('GET', '/installations')).items) {
    await ask('PATCH', `/installations/${id}`, { returnUrls: [`${SHOP}/return`, `${SHOP}/cart`] })
  }
}

/** Asks again until there is something: workers take a moment. */
async function eventually<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new Error('What should have been done by a worker has not been done.')
}
