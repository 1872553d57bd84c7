import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  accessNeeded,
  type IntegrationAccess,
  integrationAllows,
  integrationAreas,
  type OperatorArea,
  type OperatorOperation,
  type OperatorRole,
  operatorAreas,
  operatorOperations,
  operatorRoleNames,
} from '@vitrine/contract/operator'
import { storeLine } from '../support/commerce/catalog.ts'
import { send } from '../support/network/send.ts'
import { operatorClient } from '../support/operator.ts'
import { startWorld, type World } from '../support/world.ts'

/*
 * Each role calls each row over HTTP. The expected table is repeated here, so that a mistake in the contract is
 * found: one letter per role, in the order below; `w` may write, `r` may read, `-` has no access.
 */

const ROLES = ['owner', 'manager', 'support', 'finance', 'catalog', 'read_only'] as const
const EXPECTED: Readonly<Record<OperatorArea, string>> = {
  dashboard: 'wrrrrr',
  orders: 'wwwr-r',
  refunds: 'ww-w--',
  customers: 'wwwr-r',
  privacy: 'ww----',
  finance: 'wwrw-r',
  catalog: 'wwrrwr',
  promotions: 'wwr-wr',
  stores: 'wwrrrr',
  settings: 'ww-rrr',
  apps: 'ww---r',
  mailbox: 'ww----',
  jobs: 'ww---r',
  operators: 'w-----',
  audit: 'wr-r-r',
}

/** The rows that operators and tokens of one store may call, if their role or access allows it. All others are refused. */
const OF_ONE_STORE: readonly string[] = [
  ...['findRecords', 'getWork', 'getSales', 'listMails', 'getMail'],
  ...['listOrders', 'exportOrders', 'getOrder', 'beginOrder', 'holdOrder', 'releaseOrder', 'shipOrder', 'cancelOrder'],
  ...['addOrderNote', 'setOrderTags', 'listOrderTags', 'resendOrderMail', 'previewRefund'],
  ...['refundOrder', 'retryRefund', 'recordRefundPaid', 'recordRefundReturned'],
  ...['listOrderInvoices', 'exportInvoices', 'downloadInvoice'],
  ...['listCancellations', 'approveCancellation', 'declineCancellation', 'listAfterSales', 'getAfterSales'],
  ...[
    'reviewAfterSales',
    'approveAfterSales',
    'declineAfterSales',
    'markAfterSalesInTransit',
    'markAfterSalesReceived',
  ],
  ...['inspectAfterSales', 'resolveAfterSales', 'completeAfterSales', 'withdrawAfterSales'],
  ...[
    'listFulfillments',
    'correctParcel',
    'markParcelDelivered',
    'markParcelFailed',
    'markParcelLost',
    'sendParcelAgain',
  ],
  ...['importLicenseKeys', 'getOrderPolicy', 'saveOrderPolicy', 'getTaxRates', 'saveTaxRates', 'exportTaxReport'],
  ...['getShippingZones', 'saveShippingZones', 'getSite', 'getSellerRecord', 'saveSellerRecord'],
  ...['listLegalVersions', 'getLegalDocument', 'publishLegalDocument', 'getStoreDecorationDraft'],
  ...['previewStoreDecoration', 'saveStoreDecorationDraft', 'publishStoreDecoration', 'takeUpStoreDecoration'],
  ...['previewStoreBranding', 'saveStoreBranding', 'exportProducts'],
  ...['listStores', 'getStore', 'updateStore', 'setStoreAccess', 'listStaff', 'createStaff'],
  ...['setStaffPassword', 'removeStaff'],
  ...['listProducts', 'createProduct', 'getProduct', 'updateProduct', 'setProductStock', 'uploadPicture'],
  ...['listCategories', 'createCategory', 'updateCategory', 'moveCategory', 'exportCatalog'],
  ...['listPromotions', 'createPromotion', 'getPromotion', 'updatePromotion', 'listEvents'],
]

const PASSWORD = 'a pass phrase of this role'
const rows: Readonly<Record<string, OperatorOperation>> = operatorOperations

let world: World
let commandLine: Awaited<ReturnType<typeof operatorClient>>
let origin: string
const ids = new Map<OperatorRole, string>()
const cookies = new Map<OperatorRole, string>()
before(async () => {
  world = await startWorld()
  await world.import([storeLine('ceramics')])
  commandLine = await operatorClient(world)
  const anonymous = await operatorClient(world, {})
  origin = commandLine.origin
  for (const role of ROLES) {
    const email = `${role}@operator.example`
    const { id } = await commandLine.change('POST', '/operators', { email, role, password: PASSWORD })
    ids.set(role, id)
    const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    cookies.set(role, headers.getSetCookie()[0]!.split(';')[0]!)
  }
})

function mayEnter(role: (typeof ROLES)[number], row: OperatorOperation): boolean {
  if (row.auth.kind === 'none' || row.auth.area === 'own') return true
  const letter = EXPECTED[row.auth.area][ROLES.indexOf(role)]
  return letter === 'w' || (letter === 'r' && accessNeeded(row) === 'read')
}

/** Calls a row without its required input, so that it changes nothing: a role with access gets another refusal, or an answer. */
async function call(
  headers: Readonly<Record<string, string>>,
  row: OperatorOperation,
): Promise<{ status: number; code?: string }> {
  const path = row.path.replaceAll(/\{\w+\}/g, 'none-of-this-name')
  const json = row.body && { 'content-type': 'application/json' }
  const { status, body } = await send(
    `${origin}${path}`,
    row.method,
    { ...headers, ...json },
    row.body ? '[]' : undefined,
  )
  return { status, ...(status >= 400 && { code: body.code }) }
}

type MayEnter = (role: (typeof ROLES)[number], row: OperatorOperation, id: string) => boolean

async function assertEntry(
  role: (typeof ROLES)[number],
  each: readonly (readonly [id: string, row: OperatorOperation])[],
  mayEnter: MayEnter,
): Promise<void> {
  for (const [id, row] of each) {
    const { status, code } = await call({ cookie: cookies.get(role)! }, row)
    const expected = mayEnter(role, row, id) ? 'enters' : 'role_insufficient'
    const found = code === 'role_insufficient' && status === 403 ? code : 'enters'
    assert.equal(found, expected, `${role}: ${id} (${status} ${code})`)
    assert.notEqual(status, 500, id)
    cases += 1
  }
}

/** The number of calls, by roles with all stores and with one. */
let cases = 0

describe('roles', () => {
  after(() => process.stdout.write(`operator rows by role and store: ${cases} cases\n`))

  test('match the table in this file, each with every area', () => {
    assert.deepEqual([...operatorRoleNames], [...ROLES])
    assert.deepEqual(Object.keys(EXPECTED), [...operatorAreas])
  })

  test('rows of one store match the list in this file', () => {
    const declared = Object.keys(rows).filter((id) => rows[id]!.store !== undefined)
    assert.deepEqual(declared.sort(), [...OF_ONE_STORE].sort())
  })

  for (const role of ROLES) {
    test(`${role} may call what the table says, and gets role_insufficient for the rest`, async () => {
      // Signing out would end the session for the other calls.
      const each = Object.entries(rows).filter(([id]) => id !== 'signOut')
      await assertEntry(role, each, mayEnter)
      if (role === 'owner') return
      // From now on, the same operator in the same session is restricted to one store.
      await commandLine.change('PATCH', `/operators/${ids.get(role)}`, { store: 'ceramics' })
      const isOwn = ({ auth }: OperatorOperation) => auth.kind === 'none' || auth.area === 'own'
      await assertEntry(role, each, (_, row, id) => mayEnter(role, row) && (isOwn(row) || OF_ONE_STORE.includes(id)))
    })
  }

  test('a new role applies from the next request on, in the same session', async () => {
    const email = 'promoted@operator.example'
    const { id } = await commandLine.change('POST', '/operators', { email, role: 'read_only', password: PASSWORD })
    const anonymous = await operatorClient(world, {})
    const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!
    const list = async () => (await anonymous.get('/operators', { cookie })).status
    assert.equal(await list(), 403)
    await commandLine.change('PATCH', `/operators/${id}`, { role: 'owner' })
    assert.equal(await list(), 200)
    await commandLine.change('PATCH', `/operators/${id}`, { role: 'support' })
    assert.equal(await list(), 403)
  })

  test('an unknown path has the same answer for a role without access as for all others', async () => {
    const anonymous = await operatorClient(world, { cookie: cookies.get('catalog')! })
    assert.equal((await anonymous.get('/nothing-here')).status, 404)
  })
})

describe('tokens of integrations', () => {
  const forPeople: readonly OperatorArea[] = ['apps', 'mailbox', 'operators', 'privacy']
  const mayCall = (row: OperatorOperation, access: IntegrationAccess) => {
    if (row.auth.kind === 'none' || row.auth.area === 'own' || row.freshProof === 'always') return false
    const given = access[row.auth.area as keyof IntegrationAccess]
    return given === 'write' || (given === 'read' && accessNeeded(row) === 'read')
  }

  test('may call rows that their areas allow, and none that always require a fresh proof: each row, area and access', () => {
    assert.deepEqual(
      operatorAreas.filter((area) => !integrationAreas.includes(area as never)).sort(),
      [...forPeople].sort(),
    )
    let cases = 0
    for (const area of integrationAreas) {
      for (const given of ['read', 'write'] as const) {
        for (const [id, row] of Object.entries(rows)) {
          const access = { [area]: given }
          assert.equal(integrationAllows(access, row), mayCall(row, access), `${area} ${given}: ${id}`)
          cases += 1
        }
      }
    }
    process.stdout.write(`tokens: ${cases} cases\n`)
  })

  test('get access_insufficient for every other row, over HTTP, for all stores and for one', async () => {
    const wide = { orders: 'read', stores: 'write', finance: 'write', audit: 'read' } as const
    const ofStore = Object.fromEntries(integrationAreas.map((area) => [area, 'write'])) as IntegrationAccess
    const create = (body: object) => commandLine.change('POST', '/integrations', body)
    const tokens = [
      { access: wide, isNarrowed: false, ...(await create({ name: 'Wide', access: wide })) },
      { access: ofStore, isNarrowed: true, ...(await create({ name: 'One', access: ofStore, storeSlug: 'ceramics' })) },
    ]
    for (const { access, isNarrowed, token } of tokens) {
      for (const [id, row] of Object.entries(rows)) {
        const { status, code } = await call({ authorization: `Bearer ${token}` }, row)
        const found = code === 'access_insufficient' && status === 403 ? code : 'enters'
        const mayEnter = mayCall(row, access) && (!isNarrowed || OF_ONE_STORE.includes(id))
        assert.equal(found, mayEnter ? 'enters' : 'access_insufficient', `${id} (${status} ${code})`)
        assert.notEqual(status, 500, id)
      }
    }
  })
})
