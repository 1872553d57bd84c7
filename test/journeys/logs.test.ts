import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { payFromPage } from '../../server/src/features/checkout/index.ts'
import { backupOf } from '../../server/src/platform/backup/backup.ts'
import { SECRET_COLUMNS } from '../../server/src/platform/secrets/secret-columns.ts'
import { loadSecrets } from '../../server/src/platform/secrets/server-secrets.ts'
import { ACCOUNTS, accountsOf, registration } from '../support/commerce/accounts.ts'
import { accessOf, begunSession, checkoutClient } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { operatorClient } from '../support/operator.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { begun, carriedBack, LOGIN, returning } from '../support/pages/hosted-login.ts'
import { AUTHORIZE, codeFor, posterOf, registerApp } from '../support/pages/oauth.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { SEALING_KEY, secretDeps } from '../support/secrets.ts'

/**
 * Logs may be shared with support, so even at the most verbose level they contain no secrets and no email
 * addresses. Dumps and backups are copied too: they contain no secrets.
 */

const lines: string[] = []
let receiver: Awaited<ReturnType<typeof startReceiver>>
let shop: Shop
let accounts: ReturnType<typeof accountsOf>
let pages: Awaited<ReturnType<Shop['openPages']>>
before(async () => {
  receiver = await startReceiver()
  shop = await startShop({
    simulator: true,
    environment: { WEBHOOK_ALLOWED_TARGETS: receiver.target },
    onLogLine: (line) => void lines.push(line),
  })
  accounts = accountsOf(shop)
  pages = await shop.openPages()
})

/** The secrets by name. */
const secrets = new Map<string, string>()
function secret<Value extends string>(what: string, value: Value): Value {
  assert.ok(value.length >= 6, `${what} is too short to be looked for`)
  secrets.set(`${what} ${secrets.size}`, value)
  return value
}

/** Response members that are for the caller only. */
const SECRET_MEMBERS = /^(key|secret|token|access_?token|refresh_?token|code|loginSession|customerToken|grant|email)$/i
function gather(what: string, value: unknown, name = ''): void {
  if (typeof value === 'string' && SECRET_MEMBERS.test(name) && value.length >= 12) secret(`${what}: ${name}`, value)
  if (typeof value !== 'object' || value === null) return
  for (const [member, inner] of Object.entries(value)) gather(what, inner, Array.isArray(value) ? name : member)
}

const EMAIL = secret('email', 'grace.hopper@navy.example')
const PASSWORD = secret('password', 'compilers are for people')
secret('operator token', OPERATOR_TOKEN)

async function generateTraffic(): Promise<void> {
  // A customer registers, confirms, resets the password and signs in.
  await shop.anonymous.post(ACCOUNTS.register, { ...registration, email: EMAIL, password: PASSWORD })
  await shop.anonymous.post(ACCOUNTS.register, { ...registration, email: EMAIL, password: 'password' })
  await shop.work()
  const linkOf = async (kind: string) =>
    (await shop.mails()).find((mail) => mail.kind === kind)?.link ?? assert.fail(kind)
  const confirmation = await linkOf('accounts.confirm')
  secret('token of a link', new URL(confirmation).searchParams.get('token') ?? '')
  await pageVisitor(pages).open(confirmation)
  await accounts.confirm(confirmation)
  await shop.anonymous.post(ACCOUNTS.requestReset, { email: EMAIL })
  await shop.work()
  const reset = secret('token of a link', new URL(await linkOf('accounts.reset')).searchParams.get('token') ?? '')
  const password = secret('password', 'people are for compilers')
  await shop.anonymous.post(ACCOUNTS.confirmReset, { token: reset, password })
  await shop.anonymous.post(ACCOUNTS.confirmReset, { token: reset, password })
  const visitor = pageVisitor(pages)
  await visitor.open(`${pages}/account/login`)
  await visitor.send(`${pages}/account/login`, { email: EMAIL, password: 'not the password' })

  // An installation calls with a key and proofs, and completes a hosted login.
  const client = await checkoutClient(shop)
  secret('API key', client.key ?? '')
  await shop.anonymous.get('/api/v1/open/installation', { headers: { authorization: `Bearer ${client.key}x` } })
  const login = await begun(client)
  gather('login', login)
  const carried = await carriedBack(shop, login, EMAIL)
  secret('code of a login', carried.code)
  gather('login', (await client.post(LOGIN.consume, returning(carried))).body.data)
  gather('login', (await client.post(LOGIN.consume, returning(carried))).body.data)

  // An app gets a code, tokens and refreshed tokens, and loses them by reusing one.
  const app = await registerApp(shop)
  const code = secret('code', await codeFor(shop, app))
  const poster = posterOf(shop)
  const granted = await poster.exchange(app, code)
  gather('tokens', granted.body)
  const refreshed = await poster.refresh(app, granted.body.refresh_token)
  gather('tokens', refreshed.body)
  await poster.refresh(app, granted.body.refresh_token)
  await poster.exchange(app, code)
  await shop.anonymous.get(`${AUTHORIZE}?client_id=${app.clientId}&state=hello`)

  // It receives signed webhooks, at an endpoint that fails at first.
  receiver.does((_arrival, response) => void response.writeHead(500).end(EMAIL))
  gather('endpoint', await opened(client, { url: receiver.url, events: ['*'] }))

  // Its shopper pays on the payment page.
  const session = await begunSession(shop, client)
  const access = accessOf(session)
  secret('key of a checkout', access.key)
  await pageVisitor(pages).open(session.url)
  const { chargeId } = await shop.database.transaction((tx) =>
    payFromPage(
      shop.app.checkoutPage,
      tx,
      access,
      { acceptedDocuments: [], provider: 'simulator', expectedVersion: session.version },
      { ids: shop.ids, now: shop.clock.now() },
    ),
  )
  await shop.app.payments.advance(chargeId ?? assert.fail('a charge'))
  secret('email of the buyer', 'ada@example.com')
  await shop.work()
  for (const { headers } of receiver.arrivals) secret('signature', String(headers['webhook-signature']))

  // An operator signs in, creates a key, and mistypes a password.
  const [operator, anonymous] = [await operatorClient(shop), await operatorClient(shop, {})]
  const setup = secret('setup token', (await shop.app.setupToken()) ?? '')
  const boss = {
    email: secret('email', 'boss@shop.example'),
    password: secret('password', 'seven kettles on a wall'),
  }
  await anonymous.send('POST', '/setup', { ...boss, setupToken: setup })
  await anonymous.send('POST', '/sessions', { ...boss, password: 'wrong kettles' })
  const signedIn = await anonymous.send('POST', '/sessions', boss)
  secret('session', /=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '')
  const created = await operator.send('POST', `/installations/${client.installationId}/keys`, {
    scopes: ['catalog:read'],
  })
  gather('key', created.body)
}

describe('the log of these requests', () => {
  test('contains no secret, token, password or email address', async () => {
    await generateTraffic()
    const log = lines.join('')
    assert.ok(lines.length > 20, `${lines.length} lines`)
    assert.ok(secrets.size > 20, `${secrets.size} secrets`)
    const found = [...secrets].filter(([, value]) => log.includes(value)).map(([what]) => what)
    assert.deepEqual(found, [])
    assert.deepEqual(log.match(/[\w.+-]+@[\w-]+\.[\w.]+/g), null)
  })

  test('has the operation and outcome of each request', () => {
    const answers = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    const operations = new Set(answers.map(({ operationId }) => operationId))
    for (const operation of [
      'registerOfficialStorefrontCustomer',
      'exchangeOAuthToken',
      'createInstallationWebhook',
      'checkoutPublicCart',
    ])
      assert.ok(operations.has(operation), `${operation} of ${[...operations].join()}`)
    for (const { requestId, status } of answers) assert.ok(/^req_\w+$/.test(requestId) && status >= 200)
  })
})

describe('the database after these requests', () => {
  /** Email addresses are personal data, which erasure removes; a login session is an id, of no use without its code. */
  const planted = () => [...secrets].filter(([what]) => !/email|loginSession/.test(what))
  /** A value in text or JSON, as bytes, and bytes that are shown in base64. */
  const formsOf = (value: string) => {
    const decoded = /^[\w+/-]{43}=?$/.test(value.replace(/^whsec_/, ''))
      ? [Buffer.from(value.replace(/^whsec_/, ''), 'base64').toString('hex')]
      : []
    return [value, Buffer.from(value).toString('hex'), ...decoded]
  }

  test('has secrets, tokens and passwords only in declared columns, and so has its backup', async () => {
    const forms = planted().map(([what, value]) => [what, formsOf(value)] as const)
    const own = [SEALING_KEY.toString('base64'), SEALING_KEY.toString('hex')]
    for (const { current } of Object.values(await secretsOfServer()))
      own.push(current.toString('hex'), current.toString('base64'))
    const needles = [...forms, ['a secret of the server', own] as const]
    const columns = await shop.query(
      `select table_name as table, column_name as column from information_schema.columns join pg_class on relname = table_name
       where table_schema = current_schema() and relkind = 'r' order by 1, 2`,
    )
    const found = new Set<string>()
    const kept: string[] = []
    for (const { table, column } of columns) {
      const rows = await shop.query(`select "${column}"::text as value from "${table}" where "${column}" is not null`)
      const text = rows.map(({ value }) => String(value)).join('\n')
      for (const [what, all] of needles) {
        if (!all.some((each) => text.includes(each))) continue
        found.add(`${table}.${column}`)
        kept.push(what)
      }
    }
    // Without an SMTP server mails stay in the mailbox.
    assert.deepEqual([...found].toSorted(), [...SECRET_COLUMNS.readable].toSorted())

    const chunks: string[] = []
    for await (const bytes of backupOf(shop.databaseUrl, { now: shop.clock.now() })) chunks.push(String(bytes))
    const backup = chunks.join('')
    assert.ok(backup.includes('server_secret_versions'))
    const inBackup = needles.filter(([what, all]) => !kept.includes(what) && all.some((each) => backup.includes(each)))
    assert.deepEqual(inBackup, [])
  })
})

async function secretsOfServer() {
  const { values } = await shop.database.transaction((tx) => loadSecrets(tx, secretDeps(shop.clock)))
  return values
}
