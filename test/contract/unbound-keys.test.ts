import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CANCEL_URL, checkout, RETURN_URL } from '../support/commerce/checkout.ts'
import { orderedBy } from '../support/commerce/orders.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { askerOf, type Credential, isGuarded, propertiesOf, rows } from '../support/rows.ts'

/** Contact data with values that occur nowhere else. */
const ADDRESS = {
  recipientName: 'Wilhelmina Quintessa',
  company: 'Zephyr Bindery',
  line1: 'Obergasse 4711',
  line2: 'Hinterhaus Q',
  city: 'Bad Doberan',
  postalCode: '18209',
  countryCode: 'DE',
  phone: '+4938203123456',
}
const VAT_ID = 'DE136695976'
const BILLING = {
  ...ADDRESS,
  vatId: VAT_ID,
  recipientName: 'Ottokar Billing',
  line1: 'Rechnungsweg 815',
  phone: '+4938203654321',
}
const CONTACT = { email: 'wilhelmina.q@zephyr.example', phone: '+4938203999999' }
const { countryCode: _, ...texts } = ADDRESS
const CONTACT_DATA = [
  ...Object.values(texts),
  BILLING.recipientName,
  BILLING.line1,
  BILLING.phone,
  VAT_ID,
  ...Object.values(CONTACT),
]

let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
let bound: Credential
let unbound: Credential
/** The objects of an installation, by the name of their parameter. */
let objects: Readonly<Record<string, readonly string[]>>
/** The keys in the page URLs of the checkout sessions. */
let pageKeys: readonly string[]

before(async () => {
  shop = await startShop()
  ;({ ask } = askerOf(shop))
  const client = await shop.client({ returnUrls: [RETURN_URL, CANCEL_URL] })
  const reader = await shop.client({ installationId: client.installationId, bound: false })
  bound = { key: String(client.key), proof: client.proof }
  unbound = { key: String(reader.key) }

  const addressed = async () => {
    const { id } = await cartOf(shop, client, { MUG: 1 })
    const body = { shipping: ADDRESS, billing: BILLING, contact: CONTACT }
    const answer = await client.put(`${CARTS}/${id}/address`, body)
    assert.equal(answer.status, 200, answer.text)
    return id as string
  }
  const carts = [await addressed(), await addressed()]
  const quote = await client.post(`${CARTS}/${carts[0]}/quote`, {})
  assert.equal(quote.status, 200, quote.text)
  const { id: session, url } = (await checkout(client, carts[1]!)).body.data
  const order = await orderedBy(
    shop,
    client,
    { MUG: 1 },
    {
      ...CONTACT,
      shippingAddress: ADDRESS,
      billingAddress: BILLING,
    },
  )
  const endpoint = await opened(client)
  await logged(shop, { installationId: client.installationId, endpointId: endpoint.id })
  pageKeys = [new URL(url).pathname.split('/').at(-1)!]
  objects = { cartId: carts, sessionId: [session], orderId: [order.id], id: [endpoint.id] }
})

const reads = rows.filter(([, row]) => isGuarded(row) && row.method === 'GET')

/** Calls the row for each object of the kind in its path. */
async function textsOf(row: (typeof reads)[number][1], as: Credential): Promise<readonly string[]> {
  const [name] = Object.keys(propertiesOf(row.params))
  const known = name === undefined ? [{}] : (objects[name] ?? []).map((id) => ({ [name]: id }))
  const answers = await Promise.all(known.map((params) => ask(row, { as, params })))
  return answers.map(({ status, text }) => {
    assert.equal(status, 200, text)
    return text
  })
}

describe('an unbound key', () => {
  for (const [id, row] of reads) {
    test(`${id}: shows no contact data and no key of a checkout page`, async () => {
      for (const text of await textsOf(row, unbound)) {
        assert.deepEqual(
          [...CONTACT_DATA, ...pageKeys].filter((secret) => text.includes(secret)),
          [],
        )
        // The signature of a quote contains its content again, encoded.
        for (const [encoded] of text.matchAll(/[\w-]{200,}/g)) {
          const decoded = Buffer.from(encoded, 'base64url').toString()
          assert.deepEqual(
            CONTACT_DATA.filter((secret) => decoded.includes(secret)),
            [],
          )
        }
      }
    })
  }

  test('sees everything else of a cart, a session and an order', async () => {
    const withheld: Readonly<Record<string, readonly string[]>> = {
      getPublicCart: ['contact', 'shippingAddress', 'billingAddress'],
      getHostedCheckoutSession: ['url', 'nextAction.url', 'snapshot.address'],
      getStorefrontOrder: ['addresses.shipping', 'addresses.billing', 'customer.email', 'customer.phone'],
    }
    for (const [id, paths] of Object.entries(withheld)) {
      const row = reads.find(([each]) => each === id)![1]
      const [whole, shown] = await Promise.all(
        [bound, unbound].map(async (as) => JSON.parse((await textsOf(row, as))[0]!)),
      )
      for (const path of paths) {
        const names = path.split('.')
        const last = names.pop()!
        const parent = names.reduce((value, name) => value[name], whole.data)
        assert.ok(last in parent, `${id}: ${path}`)
        delete parent[last]
      }
      assert.deepEqual(shown, whole)
    }
  })
})

/** The members of a schema that hold contact data, by path, unless an unbound key does not get them. */
function contactMembers(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null || 'x-sender-constraint' in schema) return []
  const {
    properties = {},
    items,
    anyOf = [],
    patternProperties = {},
  } = schema as Record<string, Record<string, unknown>>
  const named = Object.entries(properties as Record<string, unknown>).flatMap(([name, member]) => {
    const at = `${path}/${name}`
    const isWithheld = typeof member === 'object' && member !== null && 'x-sender-constraint' in member
    return CONTACT_MEMBER.test(name) && !isWithheld ? [at] : contactMembers(member, at)
  })
  const nested = [items, ...(anyOf as unknown as readonly unknown[]), ...Object.values(patternProperties)]
  return [...named, ...nested.flatMap((each) => contactMembers(each, path))]
}

/** Contact data of buyers only: a return address is the shop's. */
const CONTACT_MEMBER =
  /^(?!returnAddress$)(email|phone|vatId|recipientName|firstName|lastName|line[123]|postalCode|\w*[aA]ddress|contact)$/

test('no read declares contact data that an unbound key would get', () => {
  const declared = reads.flatMap(([id, row]) => contactMembers(row.data).map((path) => `${id}: ${path}`))
  assert.deepEqual(declared, [])
  assert.deepEqual(contactMembers({ properties: { to: { items: { properties: { phone: {} } } } } }), ['/to/phone'])
})

describe('a bound key', () => {
  test('sees the contact data of its carts, sessions and orders', async () => {
    const shown = (await Promise.all(reads.map(([, row]) => textsOf(row, bound)))).flat().join('')
    assert.deepEqual(
      [...CONTACT_DATA, ...pageKeys].filter((secret) => !shown.includes(secret)),
      [],
    )
  })
})
