import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
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
import { operatorClient } from '../support/operator.ts'
import { startWorld, type World } from '../support/world.ts'

/*
 * Each role calls each row, over HTTP. The expected table is written out here a second time, so that a slip in the contract is
 * found: a letter a role, in the order below; `w` may change, `r` may read, `-` may not enter.
 */

const ROLES = ['owner', 'manager', 'support', 'finance', 'catalog', 'read_only'] as const
const EXPECTED: Readonly<Record<OperatorArea, string>> = {
  dashboard: 'wrrrrr',
  orders: 'wwwr-r',
  refunds: 'ww-w--',
  customers: 'wwwr-r',
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

const PASSWORD = 'a pass phrase of this role'
const rows: Readonly<Record<string, OperatorOperation>> = operatorOperations

let world: World
let origin: string
const cookies = new Map<OperatorRole, string>()
before(async () => {
  world = await startWorld()
  const commandLine = await operatorClient(world)
  const anonymous = await operatorClient(world, {})
  origin = commandLine.origin
  for (const role of ROLES) {
    const email = `${role}@operator.example`
    await commandLine.change('POST', '/operators', { email, role, password: PASSWORD })
    const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    cookies.set(role, headers.getSetCookie()[0]!.split(';')[0]!)
  }
})

function mayEnter(role: (typeof ROLES)[number], row: OperatorOperation): boolean {
  if (row.auth.kind === 'none' || row.auth.area === 'own') return true
  const letter = EXPECTED[row.auth.area][ROLES.indexOf(role)]
  return letter === 'w' || (letter === 'r' && accessNeeded(row) === 'read')
}

/** Calls a row with nothing that it needs, so that it changes nothing: a role that may enter gets another refusal, or an answer. */
async function call(
  headers: Readonly<Record<string, string>>,
  row: OperatorOperation,
): Promise<{ status: number; code?: string }> {
  const path = row.path.replaceAll(/\{\w+\}/g, 'none-of-this-name')
  const answer = await fetch(`${origin}${path}`, {
    method: row.method,
    headers: { ...headers, ...(row.body && { 'content-type': 'application/json' }) },
    ...(row.body && { body: '[]' }),
  })
  const text = await answer.text()
  return { status: answer.status, ...(answer.status >= 400 && { code: JSON.parse(text).code }) }
}

describe('roles', () => {
  test('are those of the table here, each with every area', () => {
    assert.deepEqual([...operatorRoleNames], [...ROLES])
    assert.deepEqual(Object.keys(EXPECTED), [...operatorAreas])
  })

  for (const role of ROLES) {
    test(`${role} may call what the table says, and gets role_insufficient for the rest`, async () => {
      // Signing out would end the session that the others need.
      const each = Object.entries(rows).filter(([id]) => id !== 'signOut')
      for (const [id, row] of each) {
        const { status, code } = await call({ cookie: cookies.get(role)! }, row)
        const expected = mayEnter(role, row) ? 'enters' : 'role_insufficient'
        const found = code === 'role_insufficient' && status === 403 ? code : 'enters'
        assert.equal(found, expected, `${role}: ${id} (${status} ${code})`)
        assert.notEqual(status, 500, id)
      }
      process.stdout.write(`${role}: ${each.length} rows\n`)
    })
  }

  test('a new role counts from the next request on, in the same session', async () => {
    const commandLine = await operatorClient(world)
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

  test('an unknown path answers a role that may not enter as it answers everyone', async () => {
    const anonymous = await operatorClient(world, { cookie: cookies.get('catalog')! })
    assert.equal((await anonymous.get('/nothing-here')).status, 404)
  })
})

/** What a token that is narrowed to one store may call, written out a second time. */
const OF_ONE_STORE =
  'listOrders getOrder shipOrder listFulfillments correctParcel markParcelDelivered markParcelFailed markParcelLost sendParcelAgain ' +
  'listAfterSales getAfterSales reviewAfterSales approveAfterSales declineAfterSales markAfterSalesInTransit markAfterSalesReceived ' +
  'inspectAfterSales resolveAfterSales completeAfterSales withdrawAfterSales listProducts getProduct updateProduct setProductStock listEvents'

describe('tokens of integrations', () => {
  const forPeople: readonly OperatorArea[] = ['apps', 'mailbox', 'operators']
  const ofOneStore = new Set(OF_ONE_STORE.split(' '))
  const mayCall = (id: string, row: OperatorOperation, access: IntegrationAccess, isNarrowed: boolean) => {
    if (row.auth.kind === 'none' || row.auth.area === 'own' || (isNarrowed && !ofOneStore.has(id))) return false
    const given = access[row.auth.area as keyof IntegrationAccess]
    return given === 'write' || (given === 'read' && (row.method === 'GET' || 'unaudited' in row))
  }

  test('may call what their areas and their store allow: each row, area, access, and with or without a store', () => {
    assert.deepEqual(
      operatorAreas.filter((area) => !integrationAreas.includes(area as never)).sort(),
      [...forPeople].sort(),
    )
    let cases = 0
    for (const area of integrationAreas) {
      for (const given of ['read', 'write'] as const) {
        for (const isNarrowed of [false, true]) {
          for (const [id, row] of Object.entries(rows)) {
            const access = { [area]: given }
            const expected = mayCall(id, row, access, isNarrowed)
            assert.equal(
              integrationAllows({ access, isNarrowed }, row),
              expected,
              `${area} ${given} ${isNarrowed}: ${id}`,
            )
            cases += 1
          }
        }
      }
    }
    process.stdout.write(`tokens: ${cases} cases\n`)
  })

  test('get access_insufficient for every other row, over HTTP', async () => {
    await world.import([storeLine('pots')], 'pots')
    const commandLine = await operatorClient(world)
    const wide = { orders: 'read', stores: 'write', audit: 'read' } as const
    const ofStore = Object.fromEntries(integrationAreas.map((area) => [area, 'write'])) as IntegrationAccess
    const create = (body: object) => commandLine.change('POST', '/integrations', body)
    const tokens = [
      { access: wide, isNarrowed: false, ...(await create({ name: 'Wide', access: wide })) },
      { access: ofStore, isNarrowed: true, ...(await create({ name: 'Store', access: ofStore, storeSlug: 'pots' })) },
    ]
    for (const { access, isNarrowed, token } of tokens) {
      for (const [id, row] of Object.entries(rows)) {
        const { status, code } = await call({ authorization: `Bearer ${token}` }, row)
        const found = code === 'access_insufficient' && status === 403 ? code : 'enters'
        const expected = mayCall(id, row, access, isNarrowed) ? 'enters' : 'access_insufficient'
        assert.equal(found, expected, `${id} (${status} ${code})`)
        assert.notEqual(status, 500, id)
      }
    }
  })
})
