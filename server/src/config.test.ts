import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError, isLocal, readConfig } from './config.ts'

describe('the configuration', () => {
  test('is optional: every setting has a default', () => {
    const config = readConfig({})
    assert.deepEqual(
      [config.host, config.ports, config.publicUrl, config.pagesUrl, config.databaseUrl, config.trustedProxies],
      [
        '127.0.0.1',
        { public: 8080, pages: 8081, operator: 8082, shop: 8083 },
        'http://127.0.0.1:8080',
        'http://127.0.0.1:8081',
        null,
        0,
      ],
    )
    assert.equal(config.rateLimits['public-read']?.limit, 1200)
    const { days, stockPercent, currencies } = config.bankTransfer
    assert.deepEqual({ days, stockPercent, currencies }, { days: 3, stockPercent: 50, currencies: null })
  })

  test('asks for a confirmed email address before a bank transfer only if it can send mail', () => {
    const minutesWith = (variables: Record<string, string>) => readConfig(variables).bankTransfer.confirmMinutes
    assert.equal(minutesWith({}), 0)
    assert.equal(minutesWith({ SMTP_URL: 'smtp://mail.example' }), 60)
    assert.equal(minutesWith({ SMTP_URL: 'smtp://mail.example', BANK_TRANSFER_CONFIRM_MINUTES: '0' }), 0)
  })

  test('treats an empty variable as unset, as in a compose file', () => {
    const names = ['HOST', 'PUBLIC_PORT', 'PUBLIC_URL', 'DATABASE_URL', 'LOG_LEVEL', 'RATE_LIMITS', 'TRUSTED_PROXIES']
    assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}))
  })

  test('derives the public URL from host and port', () => {
    assert.equal(readConfig({ HOST: '0.0.0.0', PUBLIC_PORT: '9000' }).publicUrl, 'http://localhost:9000')
    assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:8080')
    assert.equal(readConfig({ HOST: '0.0.0.0', SHOP_PORT: '9003' }).shopUrl, 'http://localhost:9003')
    assert.equal(readConfig({ HOST: '0.0.0.0', SHOP_URL: 'https://shop.example/' }).shopUrl, 'https://shop.example')
    assert.equal(readConfig({ PUBLIC_URL: 'https://shop.example//' }).publicUrl, 'https://shop.example')
  })

  test('knows whether other machines reach the service, by any of its addresses', () => {
    assert.equal(isLocal(readConfig({})), true)
    assert.equal(isLocal(readConfig({ HOST: '::1', PUBLIC_URL: 'http://localhost:9000' })), true)
    for (const settings of [
      { HOST: '0.0.0.0' },
      { OPERATOR_HOST: '10.0.0.7' },
      { PUBLIC_URL: 'https://api.shop.example' },
      { PAGES_URL: 'https://pay.shop.example' },
    ]) {
      assert.equal(isLocal(readConfig(settings)), false, JSON.stringify(settings))
    }
  })

  test('trusts proxies of this machine at the operator door only if one is in front of it, or those that are listed', () => {
    const OPERATOR_URL = 'https://console.shop.example'
    const trusts = (settings: Readonly<Record<string, string>>, address: string) =>
      readConfig(settings).operatorProxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    const behind = { OPERATOR_URL, TRUSTED_PROXIES: '1' }
    for (const address of ['127.0.0.1', '127.0.0.9', '::1']) {
      assert.equal(trusts(behind, address), true, address)
      for (const settings of [{}, { OPERATOR_URL }, { TRUSTED_PROXIES: '1' }, { ...behind, OPERATOR_PROXIES: 'none' }])
        assert.equal(trusts(settings, address), false, `${address} ${JSON.stringify(settings)}`)
    }
    const listed = { ...behind, OPERATOR_PROXIES: '172.20.0.0/16 2001:db8::7' }
    assert.deepEqual(
      ['127.0.0.1', '172.20.1.1', '172.21.1.1', '2001:db8::7', '2001:db8::8'].map((address) => trusts(listed, address)),
      [false, true, false, true, false],
    )
  })

  test('turns rate limits off with "off", and accepts overrides as JSON', () => {
    assert.equal(readConfig({ RATE_LIMITS: 'off' }).rateLimits['key-read'], null)
    assert.equal(readConfig({ RATE_LIMITS: '{"key-read":{"limit":7}}' }).rateLimits['key-read']?.limit, 7)
  })

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['PUBLIC_PORT', '80a', /whole number from 0 to 65535, not "80a"/],
    ['PUBLIC_PORT', '65536', /65535/],
    ['PAGES_PORT', '-1', /65535/],
    ['OPERATOR_PORT', '1.5', /65535/],
    ['SHOP_PORT', ' 8083', /65535/],
    ['PUBLIC_URL', 'shop.example', /http or https URL/],
    ['PUBLIC_URL', 'ftp://shop.example', /http or https URL/],
    ['PAGES_URL', 'javascript:alert(1)', /http or https URL/],
    ['LOG_LEVEL', 'loud', /one of trace, debug/],
    ['TRUSTED_PROXIES', '11', /from 0 to 10/],
    [
      'OPERATOR_PROXIES',
      '10.0.0.0/33',
      /addresses or networks such as 10\.0\.0\.0\/24, or none, not "10\.0\.0\.0\/33"/,
    ],
    ['OPERATOR_PROXIES', '127.0.0.1, proxy.example', /not "proxy\.example"/],
    ['WEBHOOK_ALLOWED_TARGETS', 'localhost', /host and a port/],
    ['DATABASE_URL', 'shop', /a URL such as postgres:/],
    ['DATABASE_OWNER_URL', 'mysql://owner@db.example/shop', /a URL such as postgres:/],
    ['DATABASE_READ_URL', 'db.example:5432', /a URL such as postgres:/],
    ['DATABASE_WRITERS', '0', /from 1 to 200/],
    ['DATABASE_READERS', 'many', /from 1 to 200/],
    ['BANK_TRANSFER_CURRENCIES', 'EUR, EURO', /EURO is not an ISO 4217 currency/],
    ['BANK_TRANSFER_DAYS', '31', /from 1 to 30/],
    ['BANK_TRANSFER_CONFIRM_MINUTES', '1441', /from 0 to 1440/],
    ['BANK_TRANSFER_STOCK_PERCENT', '0', /from 1 to 100/],
    ['BACKUP_RECIPIENTS', 'backup@shop.example', /recipients in the age format/],
    ['RATE_LIMITS', '{', /"off" or JSON/],
    ['RATE_LIMITS', '[]', /object of policies/],
    ['RATE_LIMITS', 'null', /object of policies/],
    ['RATE_LIMITS', '{"public-raed":{}}', /public-raed/],
    ['RATE_LIMITS', '{"public-read":{"limit":0}}', /public-read.limit/],
  ]
  test('names everything that is wrong at once, each once', () => {
    const several = {
      PAGES_URL: 'pay',
      STOP_DELAY_MS: '4s',
      BANK_TRANSFER_DAYS: '0',
      STRIPE_TEST_KEY: 'sk',
      DATABASE_URL: 'db',
    }
    const media = { MEDIA_ENDPOINT: 'https://s3.example', MEDIA_BUCKET: 'Media' }
    const names = [...Object.keys(several), 'MEDIA_BUCKET', 'MEDIA_KEY_ID', 'MEDIA_SECRET'].sort()
    assert.throws(
      () => readConfig({ ...several, ...media }),
      ({ message }: Error) => {
        assert.deepEqual(
          message
            .split('\n')
            .map((line) => /^\w+/.exec(line)?.[0])
            .sort(),
          names,
        )
        return true
      },
    )
  })

  for (const [name, value, message] of wrong) {
    test(`rejects ${name}=${value} with a reason`, () =>
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message.includes(name) && message.test(error.message),
      ))
  }
})

describe('the sealing keys', () => {
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

  test('are listed newest first, or null for the key in the data directory', () => {
    const text = keys.map((key) => key.toString('base64')).join(',')
    const none = { keys: null, file: null, command: null }
    for (const name of ['SEALING_KEY', 'WEBHOOK_SECRET_KEY']) {
      assert.deepEqual(readConfig({ [name]: text }).sealing, { ...none, keys })
    }
    assert.deepEqual(readConfig({}).sealing, none)
  })

  test('are rejected in another format, without showing the value', () => {
    assert.throws(() => readConfig({ SEALING_KEY: 'geheim' }), { message: /^SEALING_KEY (?!.*geheim)/ })
  })

  test('come from one source only', () => {
    const text = Buffer.alloc(32, 1).toString('base64')
    assert.throws(
      () => readConfig({ SEALING_KEY: text, SEALING_KEY_FILE: '/etc/vitrine/keys' }),
      /Set one of SEALING_KEY/,
    )
  })
})

describe('mail', () => {
  test('stays in the mailbox without SMTP_URL, and is sent from the host of the pages', () => {
    const { smtpUrl, mailFrom } = readConfig({ PAGES_URL: 'https://pages.shop.example' })
    assert.deepEqual([smtpUrl, mailFrom], [null, 'no-reply@pages.shop.example'])
    assert.equal(readConfig({}).mailFrom, 'no-reply@[127.0.0.1]')
  })

  test('is rejected with an invalid SMTP_URL or MAIL_FROM, without showing a password', () => {
    assert.equal(readConfig({ MAIL_FROM: 'Shop <shop@example.com>' }).mailFrom, 'Shop <shop@example.com>')
    for (const MAIL_FROM of ['nobody', 'a@b\r\nBcc: c@d']) assert.throws(() => readConfig({ MAIL_FROM }), /MAIL_FROM/)
    for (const SMTP_URL of ['mail.example', 'https://u:geheim@mail.example']) {
      assert.throws(() => readConfig({ SMTP_URL }), { message: /^SMTP_URL (?!.*geheim)/ })
    }
  })
})

describe('the order of payment methods', () => {
  test('is a list of providers, and an unknown one is rejected with the known ones', () => {
    assert.deepEqual(readConfig({ PAYMENT_ORDER: 'manual, simulator' }).paymentOrder, ['manual', 'simulator'])
    assert.throws(
      () => readConfig({ PAYMENT_ORDER: 'cash' }),
      /^ConfigError: PAYMENT_ORDER must be .*manual, not "cash"/,
    )
  })
})

describe('Stripe', () => {
  const testKey = `sk_test_${'a'.repeat(24)}`
  const live = `rk_live_${'b'.repeat(24)}`

  test('is offered in the environments that have a key, from a variable or a file', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-config-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'key'), `${live}\n`)
    assert.deepEqual(readConfig({}).stripe.keys, { test: null, live: null })
    const both = readConfig({ STRIPE_TEST_KEY: testKey, STRIPE_LIVE_KEY_FILE: join(folder, 'key') })
    assert.deepEqual(both.stripe.keys, { test: testKey, live })
    assert.throws(() => readConfig({ STRIPE_LIVE_KEY_FILE: join(folder, 'none') }), /STRIPE_LIVE_KEY_FILE: ENOENT/)
  })

  test('has test keys in test and live keys in live only, and errors do not show them', () => {
    for (const variables of [
      { STRIPE_TEST_KEY: live },
      { STRIPE_LIVE_KEY: testKey },
      { STRIPE_LIVE_KEY: 'pk_live_geheim' },
    ]) {
      assert.throws(() => readConfig(variables), {
        message: /^STRIPE_(TEST|LIVE)_KEY must match (?!.*(aaa|bbb|geheim))/,
      })
    }
    assert.throws(() => readConfig({ STRIPE_TEST_WEBHOOK_SECRET: 'geheim' }), {
      message: /SECRET must match (?!.*geheim)/,
    })
  })

  test('can be replaced by a fake on this machine only, and never with a live key', () => {
    const STRIPE_API_URL = 'http://127.0.0.1:9'
    assert.equal(readConfig({ STRIPE_API_URL, STRIPE_TEST_KEY: testKey }).stripe.apiUrl, STRIPE_API_URL)
    for (const variables of [
      { STRIPE_API_URL, STRIPE_LIVE_KEY: live },
      { STRIPE_API_URL: 'https://elsewhere.example' },
    ]) {
      assert.throws(() => readConfig(variables), /STRIPE_API_URL must be on this machine/)
    }
  })

  test('is limited to currencies and stores', () => {
    const { currencies, storeIds } = readConfig({ STRIPE_CURRENCIES: 'EUR, CHF', STRIPE_STORES: 'sto_1' }).stripe
    assert.deepEqual([currencies, storeIds], [['EUR', 'CHF'], ['sto_1']])
    assert.throws(() => readConfig({ STRIPE_CURRENCIES: 'EURO' }), /EURO is not an ISO 4217 currency/)
  })
})

describe('the identity provider', () => {
  test('is an issuer over https, a client and its secret', async () => {
    const client = { OIDC_CLIENT_ID: 'vitrine', OIDC_CLIENT_SECRET: 'geheim' }
    const issuer = 'https://login.example'
    assert.equal(readConfig(client).identityProvider, null)
    const { identityProvider } = readConfig({
      ...client,
      OIDC_ISSUER: issuer,
      OIDC_EMAIL_DOMAINS: 'A.example, b.example',
    })
    const emailDomains = ['a.example', 'b.example']
    assert.deepEqual(identityProvider, {
      ...{ issuer, clientId: 'vitrine', clientSecret: 'geheim' },
      ...{ label: 'login.example', emailDomains },
    })
    assert.throws(() => readConfig({ ...client, OIDC_ISSUER: 'http://login.example' }), /OIDC_ISSUER must be an https/)
    assert.throws(() => readConfig({ OIDC_ISSUER: issuer }), /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/)
    assert.throws(() => readConfig({ ...client, OIDC_ISSUER: issuer, OIDC_LABEL: 'x'.repeat(61) }), /OIDC_LABEL/)
  })
})

test('the requester of VIES is any VAT number of the Union, or one of Northern Ireland', () => {
  const requester = (VIES_REQUESTER: string) =>
    readConfig({ VIES_URL: 'https://vies.example', VIES_REQUESTER }).vies?.requester
  assert.deepEqual(['de 136695976', 'XI 980 7806 84'].map(requester), ['DE136695976', 'XI980780684'])
  assert.throws(() => requester('XI980780685'), /VIES_REQUESTER must be your own VAT number/)
})
