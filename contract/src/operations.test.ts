import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  type Auth,
  Cart,
  exampleOf,
  faultCodes,
  type Operation,
  operationIds,
  operations,
  type RefusalCode,
  refusalCodes,
  refusals,
  refusalsOf,
} from './index.ts'
import { accessOperations } from './operations/access.ts'
import { accountOperations } from './operations/accounts.ts'
import { cartOperations } from './operations/carts.ts'
import { catalogOperations } from './operations/catalog.ts'
import { checkoutOperations } from './operations/checkout.ts'
import { hostedLoginOperations } from './operations/hosted-login.ts'
import { installationOperations } from './operations/installations.ts'
import { oauthOperations } from './operations/oauth.ts'
import { orderOperations } from './operations/orders.ts'
import { storefrontOperations } from './operations/storefront.ts'
import { webhookOperations } from './operations/webhooks.ts'
import { schemasByName } from './schemas/primitives.ts'

const rows = Object.entries<Operation>(operations)
const read = ['catalog:read']
const quote = ['checkout:quote']

/**
 * Typed off docs/reference/interface.md#operations-with-declared-detail, cell by cell.
 * operationId, method and path, scopes (`null`: undeclared), stability, idempotency, request body, 200 response.
 */
// biome-ignore format: a table is read by its columns
const declared: readonly (readonly [string, string, readonly string[] | null, string, string, string | null, string])[] = [
  ['listInstallationWebhooks', 'GET /api/v1/open/webhooks/endpoints', ['webhooks:read'], 'stable', 'none', null, 'OperationResponse'],
  ['replayInstallationWebhookDelivery', 'POST /api/v1/open/webhooks/deliveries/{id}/replay', ['webhooks:write'], 'stable', 'required', 'PublicWebhookReplayRequest', 'OperationResponse'],
  ['getApiKeyIdentity', 'GET /api/v1/open/identity', [], 'stable', 'none', null, 'ApiKeyIdentityResponse'],
  ['listApiKeyCatalogProducts', 'GET /api/v1/open/catalog/products', [], 'stable', 'none', null, 'PublicCatalogProductListResponse'],
  ['listApiKeyCatalogCategories', 'GET /api/v1/open/catalog/categories', [], 'stable', 'none', null, 'PublicCatalogCategoryListResponse'],
  ['getHostedCheckoutSession', 'GET /api/v1/open/hosted/checkout/sessions/{sessionId}', read, 'stable', 'none', null, 'HostedCheckoutSessionResponse'],
  ['cancelHostedCheckoutSession', 'POST /api/v1/open/hosted/checkout/sessions/{sessionId}/cancel', read, 'stable', 'required', 'HostedCheckoutCancelRequest', 'HostedCheckoutSessionResponse'],
  ['describeOAuthAuthorization', 'GET /api/v1/oauth/authorize', null, 'candidate', 'none', null, 'OperationResponse'],
  ['getPublicCart', 'GET /api/v1/open/storefront/carts/{cartId}', read, 'candidate', 'none', null, 'PublicCartResponse'],
  ['addPublicCartItem', 'POST /api/v1/open/storefront/carts/{cartId}/items', read, 'candidate', 'required', 'PublicCartItemMutationRequest', 'PublicCartResponse'],
  ['updatePublicCartItemQuantity', 'PATCH /api/v1/open/storefront/carts/{cartId}/items/{skuId}', read, 'candidate', 'required', 'PublicCartQuantityUpdateRequest', 'PublicCartResponse'],
  ['revokePublicCart', 'POST /api/v1/open/storefront/carts/{cartId}/revoke', read, 'candidate', 'required', 'PublicCartTransitionRequest', 'PublicCartResponse'],
  ['removePublicCartPromotion', 'DELETE /api/v1/open/storefront/carts/{cartId}/promotion', quote, 'candidate', 'required', 'PublicCartTransitionRequest', 'PublicCartPromotionStateResponse'],
  ['quotePublicCartCheckout', 'GET /api/v1/open/storefront/carts/{cartId}/checkout-quote', quote, 'candidate', 'none', null, 'PublicCartCheckoutQuoteResponse'],
  ['listStorefrontOrders', 'GET /api/v1/open/storefront/orders', read, 'candidate', 'none', null, 'StorefrontOrderListResponse'],
  ['getStorefrontOrder', 'GET /api/v1/open/storefront/orders/{orderId}', read, 'candidate', 'none', null, 'StorefrontOrderDetailResponse'],
  ['getStorefrontOrderCancellationEligibility', 'GET /api/v1/open/storefront/orders/{orderId}/cancellation-eligibility', read, 'candidate', 'none', null, 'StorefrontOrderEligibilityResponse'],
  ['cancelStorefrontOrder', 'POST /api/v1/open/storefront/orders/{orderId}/cancellations', read, 'candidate', 'required', 'StorefrontOrderTransitionRequest', 'StorefrontOrderCancellationResponse'],
  ['requestStorefrontOrderAfterSales', 'POST /api/v1/open/storefront/orders/{orderId}/after-sales', read, 'candidate', 'required', 'StorefrontAfterSalesRequest', 'StorefrontAfterSalesResponse'],
]

/** Typed off docs/reference/interface.md#remaining-public-operations-method-path-purpose. `null`: the interface gives no operationId. */
// biome-ignore format: a table is read by its columns
const remaining: readonly (readonly [string, string | null])[] = [
  ['GET /api/v1/bootstrap', null],
  ['GET /api/v1/catalog/categories', null],
  ['GET /api/v1/catalog/merchants/{merchantSlug}/products/{productSlug}', null],
  ['GET /api/v1/catalog/merchants/{slug}/categories', null],
  ['GET /api/v1/catalog/merchants/{slug}/products', null],
  ['GET /api/v1/catalog/merchants/{slug}', null],
  ['GET /api/v1/catalog/products/{slug}', null],
  ['GET /api/v1/catalog/products', null],
  ['GET /api/v1/legal/documents', null],
  ['GET /api/v1/public/contact', null],
  ['GET /api/v1/public/store-access/{store}/config', null],
  ['GET /api/v1/runtime-config', null],
  ['GET /api/v1/search', null],
  ['GET /api/v1/storefront-decorations/merchants/{slug}', null],
  ['POST /api/v1/auth/password/reset/confirm', 'confirmOfficialPasswordReset'],
  ['POST /api/v1/auth/password/reset/request', 'requestOfficialPasswordReset'],
  ['POST /api/v1/auth/register', 'registerOfficialStorefrontCustomer'],
  ['POST /api/v1/public/store-access/{store}/challenges/verify', 'verifyStorefrontChallenge'],
  ['POST /api/v1/public/store-access/{store}/challenges', 'createStorefrontChallenge'],
  ['GET /api/v1/open/installation/identity', null],
  ['GET /api/v1/open/installation/readiness', null],
  ['POST /api/v1/open/hosted/checkout/sessions', null],
  ['POST /api/v1/open/hosted/login/initiate', null],
  ['POST /api/v1/open/hosted/login/return', null],
  ['GET /api/v1/open/catalog/products/{slug}', null],
  ['PUT /api/v1/open/storefront/carts/{cartId}/address', 'setPublicCartAddress'],
  ['POST /api/v1/open/storefront/carts/{cartId}/checkout', 'checkoutPublicCart'],
  ['POST /api/v1/open/storefront/carts/{cartId}/clear', 'clearPublicCart'],
  ['DELETE /api/v1/open/storefront/carts/{cartId}/items/{skuId}', 'removePublicCartItem'],
  ['PUT /api/v1/open/storefront/carts/{cartId}/promotion', 'applyPublicCartPromotion'],
  ['POST /api/v1/open/storefront/carts/{cartId}/quote', 'quotePublicCart'],
  ['POST /api/v1/open/storefront/carts', 'createPublicCart'],
  ['GET /api/v1/open/storefront/orders/{orderId}/after-sales-eligibility', 'getStorefrontOrderAfterSalesEligibility'],
  ['GET /api/v1/open/webhooks/deliveries', 'listInstallationWebhookDeliveries'],
  ['GET /api/v1/open/webhooks/endpoints/{id}/signature-fixture', 'getInstallationWebhookSignatureFixture'],
  ['PATCH /api/v1/open/webhooks/endpoints/{id}', 'updateInstallationWebhook'],
  ['POST /api/v1/open/webhooks/endpoints', 'createInstallationWebhook'],
  ['GET /api/v1/open/webhooks/events', 'listInstallationWebhookEvents'],
  ['POST /api/v1/oauth/revoke', 'revokeOAuthToken'],
  ['POST /api/v1/oauth/token', 'exchangeOAuthToken'],
]

const routeOf = (row: Operation) => `${row.method} ${row.path}`
const titleOf = (schema: TSchema | null) => (schema as { title?: string } | null)?.title ?? null
const scopesOf = (auth: Auth) => ('scopes' in auth ? auth.scopes : auth.kind === 'oauth' ? null : [])

/** Every schema the contract validates with, named for messages. */
function schemasOf(id: string, row: Operation): [string, TSchema][] {
  const parts = {
    params: row.params,
    query: row.query,
    undeclaredQuery: row.undeclaredQuery ?? null,
    body: row.body,
    data: row.data,
    meta: row.meta,
  }
  return Object.entries(parts).flatMap(([part, schema]) =>
    schema ? [[`${id}.${part}`, schema] as [string, TSchema]] : [],
  )
}
const allSchemas = [...rows.flatMap(([id, row]) => schemasOf(id, row)), ...schemasByName()]

interface Node {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly pattern?: string
  readonly format?: string
  readonly 'x-refusal'?: string
}

/** Call `visit` for the schema and every schema inside it, with a path for messages. */
function walk(path: string, node: Node, visit: (path: string, node: Node) => void): void {
  visit(path, node)
  for (const [name, property] of Object.entries(node.properties ?? {})) walk(`${path}/${name}`, property, visit)
  for (const [name, property] of Object.entries(node.patternProperties ?? {})) walk(`${path}/${name}`, property, visit)
  if (node.items) walk(`${path}/[]`, node.items, visit)
  for (const [index, each] of (node.anyOf ?? []).entries()) walk(`${path}|${index}`, each, visit)
}

function walkAll(visit: (path: string, node: Node) => void): void {
  for (const [name, schema] of allSchemas) walk(name, schema as Node, visit)
}

describe('the table of operations', () => {
  it('has exactly 59 rows, in eleven areas', () => {
    const areas = [
      [storefrontOperations, 5],
      [accountOperations, 3],
      [accessOperations, 3],
      [installationOperations, 3],
      [catalogOperations, 11],
      [checkoutOperations, 3],
      [hostedLoginOperations, 2],
      [cartOperations, 13],
      [orderOperations, 6],
      [webhookOperations, 7],
      [oauthOperations, 3],
    ] as const
    assert.deepEqual(
      areas.map(([area]) => Object.keys(area).length),
      areas.map(([, count]) => count),
    )
    assert.equal(operationIds.length, 59)
  })

  it('has one row per method and path', () => {
    assert.equal(new Set(rows.map(([, row]) => routeOf(row))).size, 59)
  })

  it('has every operation of the interface and no other', () => {
    const wanted = [...declared.map(([, route]) => route), ...remaining.map(([route]) => route)]
    assert.deepEqual(rows.map(([, row]) => routeOf(row)).sort(), wanted.sort())
  })

  for (const [id, route, scopes, stability, idempotency, body, response] of declared) {
    it(`states ${id} as the interface declares it`, () => {
      const row = (operations as Record<string, Operation>)[id]
      assert.ok(row, id)
      assert.deepEqual(
        {
          route: routeOf(row),
          scopes: scopesOf(row.auth),
          stability: row.stability,
          idempotency: row.idempotency,
          body: titleOf(row.body),
          response: row.response,
          idSource: row.idSource,
          query: Object.keys(row.query.properties),
        },
        { route, scopes, stability, idempotency, body, response, idSource: 'interface', query: [] },
      )
    })
  }

  it('keeps the operationIds of the interface and marks the assigned ones', () => {
    const byRoute = new Map(rows.map(([id, row]) => [routeOf(row), { id, idSource: row.idSource }]))
    for (const [route, id] of remaining) {
      const row = byRoute.get(route)
      assert.equal(row?.idSource, id === null ? 'assigned' : 'interface', route)
      if (id !== null) assert.equal(row?.id, id)
    }
  })

  it('names exactly the placeholders of its path as parameters', () => {
    for (const [id, row] of rows) {
      const placeholders = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(Object.keys(row.params.properties), placeholders, id)
    }
  })

  it('requires a sender-constrained credential and an idempotency key for every installation write, and nowhere else', () => {
    for (const [id, row] of rows) {
      const isInstallationWrite = row.path.startsWith('/api/v1/open/') && row.method !== 'GET'
      assert.equal(row.auth.kind === 'senderConstrained', isInstallationWrite, id)
      assert.equal(row.idempotency === 'required', isInstallationWrite, id)
    }
  })

  it('names as a secret only optional members, next to a member that states whether they were shown', () => {
    const withSecrets = rows.filter(([, row]) => row.secrets)
    assert.deepEqual(
      withSecrets.map(([id]) => id),
      ['consumeHostedLoginReturn', 'createInstallationWebhook', 'updateInstallationWebhook'],
    )
    for (const [id, row] of withSecrets) {
      const { properties, required } = row.data as unknown as { properties: Record<string, Node>; required: string[] }
      assert.equal(row.idempotency, 'required', id)
      for (const [member, state] of Object.entries(row.secrets ?? {})) {
        assert(properties[member] && !required.includes(member), `${id}: ${member}`)
        assert(
          required.includes(state) && JSON.stringify(properties[state]).includes('"already_shown"'),
          `${id}: ${state}`,
        )
      }
    }
  })

  it('takes no body on reads', () => {
    for (const [id, row] of rows) if (row.method === 'GET') assert.equal(row.body, null, id)
  })

  it('starts every summary with a capital letter and ends it with a period', () => {
    for (const [id, row] of rows) {
      assert.match(row.summary, /^[A-Z][^.]*\.$/, id)
      assert.match(row.description, /\.$/, id)
    }
  })
})

describe('refusals', () => {
  it('lists no code twice in a row, and no server fault', () => {
    for (const [id, row] of rows) {
      assert.equal(new Set(row.refusals).size, row.refusals.length, id)
      for (const code of refusalsOf(row)) assert.ok(refusals[code].status < 500, `${id}: ${code}`)
    }
  })

  it('has no code that no operation answers', () => {
    const used = new Set<RefusalCode>(rows.flatMap(([, row]) => refusalsOf(row)))
    const unused = refusalCodes.filter((code) => !used.has(code) && !faultCodes.includes(code))
    assert.deepEqual(unused, [])
  })

  it('spells every code in snake_case and gives it one sentence', () => {
    for (const code of refusalCodes) {
      assert.match(code, /^[a-z][a-z0-9_]{2,63}$/)
      assert.match(refusals[code].message, /^[A-Z].*\.$/, code)
    }
  })

  it('answers the address limit first, and the credential before anything it protects', () => {
    for (const [id, row] of rows) {
      const [first, second] = refusalsOf(row)
      assert.equal(first, 'rate_limited', id)
      if (row.path.startsWith('/api/v1/open/')) assert.equal(second, 'credential_missing', id)
    }
  })

  it('lists every refusal that a field of its schemas names', () => {
    for (const [id, row] of rows) {
      for (const [name, schema] of schemasOf(id, row)) {
        walk(name, schema as Node, (path, node) => {
          const code = node['x-refusal']
          if (code !== undefined && !name.endsWith('.data')) {
            assert.ok(refusalsOf(row).includes(code as RefusalCode), `${path}: ${code}`)
          }
        })
      }
    }
  })
})

describe('schemas', () => {
  it('accept their own examples', () => {
    for (const [name, schema] of allSchemas) {
      const validator = Compile(schema)
      const { examples = [] } = schema as { examples?: readonly unknown[] }
      for (const example of [exampleOf(schema), ...examples]) {
        assert.ok(validator.Check(example), `${name}: ${JSON.stringify(validator.Errors(example).slice(0, 2))}`)
      }
    }
  })

  it('has a cart example that adds up', () => {
    const { lines, totals } = exampleOf(Cart) as Cart
    const sum = (amounts: readonly number[]) => amounts.reduce((left, right) => left + right, 0)
    const { itemsSubtotal, itemsDiscount, shipping, shippingDiscount, tax, total } = totals
    assert.equal(itemsSubtotal.amount, sum(lines.map((line) => line.quantity * line.unitPrice.amount)))
    assert.equal(
      itemsDiscount.amount,
      sum(lines.flatMap((line) => line.discountAllocations).map((each) => each.amount.amount)),
    )
    const shipped = (shipping?.amount ?? 0) - (shippingDiscount?.amount ?? 0)
    assert.equal(total.amount, itemsSubtotal.amount - itemsDiscount.amount + shipped + tax.added.amount)
  })

  it('close every object', () => {
    walkAll((path, node) => {
      // RFC 6749 §3.1 and 3.2: unknown parameters are ignored.
      const isOAuthRequest =
        /^(describeOAuthAuthorization\.undeclaredQuery|OAuth(Token|Revocation)Request|\w+OAuthToken\.body)$/.test(path)
      if (node.type === 'object') assert.equal(node.additionalProperties, isOAuthRequest, path)
      if (node.patternProperties && !node.properties) assert.ok(node.maxProperties, path)
    })
  })

  it('bound every string, number and list', () => {
    walkAll((path, node) => {
      if (node.enum || node.const !== undefined) return
      if (node.type === 'string') assert.ok(node.maxLength && (node.pattern || node.format), path)
      if (node.type === 'array') assert.ok(node.maxItems, path)
      if (node.type === 'integer' || node.type === 'number') {
        assert.ok(node.minimum !== undefined && node.maximum !== undefined, path)
        assert.ok(Math.abs(node.maximum) <= Number.MAX_SAFE_INTEGER, path)
      }
      if (node.type === 'integer') assert.match(String(node.format), /^int(32|64)$/, path)
    })
  })

  it('describe every member', () => {
    walkAll((path, node) => {
      for (const [name, property] of Object.entries(node.properties ?? {})) {
        assert.ok(property.description, `${path}/${name}`)
      }
    })
  })

  it('accept no NUL character, which PostgreSQL cannot store', () => {
    for (const [id, row] of rows) {
      if (!row.body) continue
      walk(id, row.body as Node, (path, node) => {
        if (node.type !== 'string' || node.enum || node.const !== undefined) return
        const takes = Compile(node as TSchema).Check(`${exampleOf(node as TSchema)}\u0000`)
        assert.equal(takes, false, path)
      })
    }
  })

  it('distinguish an unknown field from every other failure', () => {
    for (const [id, row] of rows) {
      if (!row.body || row.auth.kind === 'oauth') continue
      const validator = Compile(row.body)
      const body = { ...(exampleOf(row.body) as object), surelyUnknown: 1 }
      const unknown = validator.Errors(body).find((failure) => failure.keyword === 'additionalProperties')
      assert.deepEqual(unknown?.params, { additionalProperties: ['surelyUnknown'] }, id)
    }
  })
})
