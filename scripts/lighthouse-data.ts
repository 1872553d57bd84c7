import { globalAgent } from 'node:http'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { payOnPage, shopper } from '../bench/src/page-shopper.ts'

/** Calls the operator API with a session, and returns the data of the response. */
export type OperatorClient = (method: string, path: string, body?: unknown) => Promise<Data>

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes, of which only an ID is read
type Data = any

/** The credentials of a demo installation. */
export interface DemoAccess {
  readonly publicUrl: string
  readonly key: string
  readonly privateKey: PrivateJwk
}

const SHOP = 'https://shop.example'
const STORE = 'havelton'
const WAIT_MS = 250
const WAITS_MAX = 120
/** The shipments in an order of the operator API. */
const PARCELS = 'fulfilments'
const SHOPPER = { email: 'shopper@shop.example', password: 'a long enough pass phrase' }
const ADDRESS = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}

/** For each path parameter, the list whose newest item is the example. */
const LISTS: Readonly<Record<string, readonly [path: string, idOf: (item: Data) => string]>> = {
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

/** Parameters that are not ids. */
const VALUES: Readonly<Record<string, string>> = { kind: 'orders.confirmed', language: 'de' }

/** The path of a page with its parameters filled in, or `null` if there is no example of one. */
export async function fillPath(client: OperatorClient, path: string): Promise<string | null> {
  const parts = await Promise.all(
    path.split('/').map((part) => (part.startsWith(':') ? newest(client, part.slice(1)) : part)),
  )
  return parts.includes(null) ? null : parts.join('/')
}

async function newest(client: OperatorClient, parameter: string): Promise<string | null> {
  if (parameter in VALUES) return VALUES[parameter] ?? null
  if (parameter === 'deliveryId') return newestDelivery(client)
  const list = LISTS[parameter]
  if (!list) throw new Error(`LISTS has no entry for ${parameter}.`)
  const [first] = (await client('GET', list[0])).items
  return first ? encodeURIComponent(list[1](first)) : null
}

async function newestDelivery(client: OperatorClient): Promise<string | null> {
  const endpointId = await newest(client, 'endpointId')
  const [first] = endpointId ? (await client('GET', `/webhook-endpoints/${endpointId}/deliveries`)).items : []
  return first?.id ?? null
}

/** Creates what the demo lacks: a webhook endpoint with a delivery, a customer, an import, an order and a return of it. */
export async function createDemoData(
  client: OperatorClient,
  { publicUrl, key, privateKey }: DemoAccess,
): Promise<void> {
  const installation = vitrine({ baseUrl: publicUrl, key, privateKey })
  const visits = shopper(globalAgent)
  await allowReturnUrls(client)
  const hooks = await installation.call('createInstallationWebhook', { body: { url: `${SHOP}/hooks`, events: ['*'] } })
  await client('POST', `/webhook-endpoints/${hooks.id}/test`, { message: 'Hello' })
  await client(
    'POST',
    `/imports?store=${STORE}&format=jsonl&name=plates.jsonl`,
    Buffer.from('{"type":"product","id":"plate"}'),
  )
  await registerCustomer()
  const orderId = await buy()
  await deliver()
  await requestReturn()

  async function registerCustomer(): Promise<void> {
    const documents: Data[] = (await client('GET', '/legal-documents')).items
    const acceptedDocuments = documents.map(({ type, version }) => ({ type, version }))
    await installation.call('registerOfficialStorefrontCustomer', { body: { ...SHOPPER, acceptedDocuments } })
    const mail = await eventually(async () => (await client('GET', '/mails')).items[0])
    const link = /https?:\/\/\S+token=\S+/.exec((await client('GET', `/mails/${mail.id}`)).text)?.[0] ?? ''
    const { text } = await visits.get(link)
    const hidden = text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
    const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
    const form = new URL(link)
    form.search = ''
    const { status } = await visits.send(form.href, { ...fields, password: SHOPPER.password })
    if (status !== 303) throw new Error(`${form.href} responded with status ${status}.`)
  }

  async function buy(): Promise<string> {
    const [{ id: productId }] = (await client('GET', `/products?store=${STORE}&q=espresso`)).items
    const [sku] = (await client('GET', `/products/${productId}`)).skus
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
    await payOnPage(visits, session.url!)
    return eventually(async () => (await client('GET', '/orders')).items[0]?.order.id)
  }

  async function deliver(): Promise<void> {
    const order = await client('POST', `/orders/${orderId}/parcels`, {})
    for (const { id, allowed } of order[PARCELS]) {
      if (allowed.includes('deliver')) await client('POST', `/fulfilments/${id}/delivered`, {})
    }
  }

  async function requestReturn(): Promise<void> {
    const { order } = await client('GET', `/orders/${orderId}`)
    const lines = [{ lineId: order.lines[0].id, quantity: 1 }]
    await installation.call('requestStorefrontOrderAfterSales', {
      params: { orderId },
      body: { kind: 'return', reasonCode: 'defective', lines },
    })
  }
}

/** Registers return URLs: the demo installations have none. */
async function allowReturnUrls(client: OperatorClient): Promise<void> {
  for (const { id } of (await client('GET', '/installations')).items) {
    await client('PATCH', `/installations/${id}`, { returnUrls: [`${SHOP}/return`, `${SHOP}/cart`] })
  }
}

/** Polls until there is a value: jobs take a moment. */
async function eventually<Value>(load: () => Promise<Value | undefined>): Promise<Value> {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const value = await load()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new Error('A background job did not finish in time.')
}
