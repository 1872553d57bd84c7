import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '@vitrine/contract'
import { breakingChanges, type ChangeKind, type Document } from '../../scripts/breaking-changes.ts'
import { judge } from '../../scripts/decided-changes.ts'
import { currentDocument } from '../../scripts/reference-pages.ts'
import { currentInterface } from '../../scripts/released-interface.ts'
import { factsOf } from '../../site/src/reference/facts.ts'
import { deprecate, deprecated } from '../support/deprecated.ts'

const released = currentInterface()
const CARTS = '/api/v1/open/storefront/carts'

/** The breaking changes that the check finds after one change to the current document. */
function changesOf(plant: (document: Document) => void): [ChangeKind, string][] {
  const document = structuredClone(released)
  plant(document)
  return breakingChanges(released, document).map(({ kind, pointer }) => [kind, pointer])
}

const schemasOf = ({ components }: Document) => components.schemas
const createCart = ({ paths }: Document) => paths[CARTS].post
const ORDER = 'StorefrontOrderDetailResponse'

const BREAKING: readonly (readonly [title: string, kind: ChangeKind, pointer: string, (document: Document) => void])[] =
  [
    ['a removed method', 'operation removed', `POST ${CARTS}`, ({ paths }) => delete paths[CARTS].post],
    [
      'a renamed operation',
      'operation renamed',
      '',
      (document) => Object.assign(createCart(document), { operationId: 'makeCart' }),
    ],
    [
      'a stable operation that becomes a candidate',
      'stability lowered',
      '',
      ({ paths }) => Object.assign(paths['/api/v1/bootstrap'].get, { 'x-stability': 'candidate' }),
    ],
    [
      'another idempotency mode',
      'idempotency changed',
      '',
      (document) => Object.assign(createCart(document), { 'x-idempotency': { mode: 'none' } }),
    ],
    [
      'one more scope',
      'authentication changed',
      '',
      ({ paths }) => paths[`${CARTS}/{cartId}`].get.security.at(-1).oauth2.push('webhooks:read'),
    ],
    [
      'a credential that is no longer accepted',
      'authentication changed',
      '',
      ({ paths }) => paths[`${CARTS}/{cartId}`].get.security.shift(),
    ],
    [
      'a credential where none was needed',
      'authentication changed',
      '',
      ({ paths }) => Object.assign(paths['/api/v1/bootstrap'].get, { security: [{ apiKey: [] }] }),
    ],
    [
      'a removed parameter',
      'parameter removed',
      'query q',
      ({ paths }) => {
        const { get } = paths['/api/v1/search']
        get.parameters = get.parameters.filter(({ name }: Document) => name !== 'q')
      },
    ],
    ['a removed status', 'status removed', '304', ({ paths }) => delete paths['/api/v1/bootstrap'].get.responses[304]],
    [
      'a removed media type',
      'media type removed',
      'request',
      ({ paths }) => delete paths['/api/v1/oauth/token'].post.requestBody.content['application/x-www-form-urlencoded'],
    ],
    [
      'a body for an operation without one',
      'body required',
      'request',
      ({ paths }) => {
        paths['/api/v1/bootstrap'].get.requestBody = { required: true, content: {} }
      },
    ],
    [
      'a removed response field',
      'field removed',
      'Order /number',
      (document) => delete schemasOf(document).Order.properties.number,
    ],
    [
      'a response field that may be absent',
      'field optional',
      'Order /number',
      (document) => schemasOf(document).Order.required.splice(schemasOf(document).Order.required.indexOf('number'), 1),
    ],
    [
      'a response field that may be null',
      'alternative added',
      'Order /number',
      (document) => {
        const { properties } = schemasOf(document).Order
        properties.number = { anyOf: [properties.number, { type: 'null' }] }
      },
    ],
    [
      'another type',
      'type changed',
      'Order /version',
      (document) => Object.assign(schemasOf(document).Order.properties.version, { type: 'string' }),
    ],
    [
      'a response value that clients do not expect',
      'values added',
      'PublicErrorResponse /outcome',
      (document) => schemasOf(document).PublicErrorResponse.properties.outcome.enum.push('maybe'),
    ],
    [
      'a request value that is no longer accepted',
      'values removed',
      'StorefrontAfterSalesRequest /kind',
      (document) => schemasOf(document).StorefrontAfterSalesRequest.properties.kind.enum.pop(),
    ],
    [
      'a removed request field',
      'field removed',
      'CreatePublicCartRequest /metadata',
      (document) => delete schemasOf(document).CreatePublicCartRequest.properties.metadata,
    ],
    [
      'a new required request field',
      'field required',
      'CreatePublicCartRequest /locale',
      (document) => schemasOf(document).CreatePublicCartRequest.required.push('locale'),
    ],
    [
      'a tighter limit',
      'limit tightened',
      'CreatePublicCartRequest /lines',
      (document) => Object.assign(schemasOf(document).CreatePublicCartRequest.properties.lines, { maxItems: 10 }),
    ],
    [
      'another pattern in a request',
      'pattern changed',
      'CreatePublicCartRequest /currency',
      (document) =>
        Object.assign(schemasOf(document).CreatePublicCartRequest.properties.currency, { pattern: '^EUR$' }),
    ],
    [
      'another format',
      'format changed',
      'Order /placedAt',
      (document) => Object.assign(schemasOf(document).Order.properties.placedAt, { format: 'date' }),
    ],
    ['a removed event kind', 'event removed', 'event', ({ events }) => delete events['order.created']],
    [
      'a removed member of an event',
      'field removed',
      'event /data/number',
      ({ events }) => delete events['order.created'].properties.data.properties.number,
    ],
    [
      'a removed member of an envelope',
      'field optional',
      `${ORDER} /data`,
      (document) => Object.assign(schemasOf(document)[ORDER], { required: [] }),
    ],
  ]

const ADDITIONS: readonly (readonly [title: string, (document: Document) => void])[] = [
  [
    'a new response field',
    (document) => {
      const { Order } = schemasOf(document)
      Order.properties.note = { type: 'string' }
      Order.required.push('note')
    },
  ],
  [
    'a 304, which only conditional requests receive',
    ({ paths }) => {
      paths[CARTS].post.responses[304] = paths['/api/v1/bootstrap'].get.responses[304]
    },
  ],
  [
    'a new optional request field',
    (document) => {
      schemasOf(document).CreatePublicCartRequest.properties.note = { type: 'string' }
    },
  ],
  [
    'a new value of an extensible enum',
    (document) => schemasOf(document).Order.properties.status['x-extensible-enum'].push('lost'),
  ],
  [
    'a new value of a request',
    (document) => schemasOf(document).StorefrontAfterSalesRequest.properties.kind.enum.push('swap'),
  ],
  [
    'a new optional parameter',
    ({ paths }) => paths['/api/v1/search'].get.parameters.push({ in: 'query', name: 'color', schema: {} }),
  ],
  [
    'a wider limit',
    (document) => Object.assign(schemasOf(document).CreatePublicCartRequest.properties.lines, { maxItems: 1000 }),
  ],
  ['one more way to authenticate', ({ paths }) => paths[CARTS].post.security.push({ mutualTls: [] })],
  ['a deprecation', (document) => Object.assign(createCart(document), { deprecated: true })],
]

describe('the compatibility check', () => {
  for (const [title, kind, pointer, plant] of BREAKING) {
    test(`finds ${title}`, () => {
      const found = changesOf(plant)
      assert.ok(
        found.some((each) => each[0] === kind && each[1] === pointer),
        JSON.stringify(found),
      )
    })
  }

  for (const [title, plant] of ADDITIONS) test(`allows ${title}`, () => assert.deepEqual(changesOf(plant), []))

  test('refuses a decision that matches no change', () => {
    const change = { kind: 'field removed', operations: ['getStore'], pointer: 'Store /logo', detail: 'gone' } as const
    const decided = { kind: 'field removed', pointer: 'Store /logo', reason: 'Replaced.' } as const
    assert.deepEqual(judge([change], [decided]), { undecided: [], unmatched: [] })
    assert.deepEqual(judge([change], []), { undecided: [change], unmatched: [] })
    assert.deepEqual(judge([], [decided]), { undecided: [], unmatched: [decided] })
  })
})

describe('a deprecated operation', () => {
  test('is marked in the document, and its page says what to use instead', () => {
    const restore = deprecate('getStore')
    try {
      const { get } = (currentDocument() as Document).paths[operations.getStore.path]
      assert.deepEqual([get.deprecated, get.externalDocs], [true, { url: deprecated.link }])
      const { text } = new Map(factsOf(operations.getStore)).get('Deprecated')!
      assert.match(text, /since 2026-01-01, ends on 2027-06-30: <a href="\/docs\/next">what to use instead/)
    } finally {
      restore()
    }
  })
})
