import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, assertRefused, registration, startAccounts } from '../../../../../test/support/commerce/accounts.ts'
import { siteOf } from '../../../../../test/support/pages/site.ts'

let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
})

const register = (body: object, options = {}) =>
  world.anonymous.post(ACCOUNTS.register, { ...registration, ...body }, options)

describe('registerOfficialStorefrontCustomer', () => {
  test('200 accepts, and mails a link that creates a customer', async () => {
    const { status, body } = await register({ email: 'ada@example.com', locale: 'de' })
    assert.deepEqual([status, body.data], [200, { status: 'accepted' }])
    await world.work()
    const [mail] = await world.mails()
    assert.deepEqual([mail?.kind, mail?.recipient], ['accounts.confirm', 'ada@example.com'])
    assert.equal(mail?.subject, 'Bestätige deine E-Mail-Adresse')
    assert.match(mail.link, /^http:\/\/127\.0\.0\.1:\d+\/account\/confirm\?token=[\w-]{43}&locale=de$/)
    assert.equal(await accounts.signIn('ada@example.com', registration.password), null)
    await accounts.confirm(mail.link)
    const customer = await accounts.signIn('ADA@example.com ', registration.password)
    assert.deepEqual([customer?.email, customer?.first_name, customer?.locale], ['ada@example.com', 'Ada', 'de'])
  })

  test('200 answers the same for a taken address, and notifies its owner only', async () => {
    await accounts.customer('known@example.com', 'the first password')
    const known = await register({ email: 'Known@Example.com', password: 'another good password' })
    const unknown = await register({ email: 'unknown@example.com' })
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    assert.deepEqual([...known.headers.keys()], [...unknown.headers.keys()])
    await world.work()
    const kinds = (await world.mails()).map((mail) => `${mail.recipient} ${mail.kind}`)
    assert(kinds.includes('known@example.com accounts.known'), kinds.join())
    assert(kinds.includes('unknown@example.com accounts.confirm'), kinds.join())
    assert.equal(await accounts.signIn('known@example.com', 'another good password'), null)
    assert(await accounts.signIn('known@example.com', 'the first password'))
  })

  test('200 activates no password that another person chose for the address', async () => {
    for (const password of ['the password of an attacker', 'the password of grace']) {
      await register({ email: 'grace@example.com', password })
      await world.work()
      world.clock.advance(1)
    }
    const [own, others] = (await world.mails()).filter((mail) => mail.recipient === 'grace@example.com')
    await accounts.confirm(own!.link)
    assert(await accounts.signIn('grace@example.com', 'the password of grace'))
    await assert.rejects(accounts.confirm(others!.link), { code: 'reset_token_invalid' })
    assert.equal(await accounts.signIn('grace@example.com', 'the password of an attacker'), null)
  })

  test('200 sends an address at most three mails an hour', async () => {
    const sent = async () => (await world.mails()).filter((mail) => mail.recipient === 'many@example.com').length
    for (let count = 0; count < 5; count += 1) {
      await register({ email: 'many@example.com' })
      await world.work()
    }
    assert.equal(await sent(), 3)
    world.clock.advance(3_600_001)
    await register({ email: 'many@example.com' })
    await world.work()
    assert.equal(await sent(), 4)
  })

  test('200 sends an address mails again an hour after the last ones, whatever was requested since', async () => {
    const sent = async () => (await world.mails()).filter((mail) => mail.recipient === 'flooded@example.com').length
    for (const expected of [3, 3, 6]) {
      for (let count = 0; count < 3; count += 1) {
        await register({ email: 'flooded@example.com' })
        await world.work()
      }
      assert.equal(await sent(), expected)
      world.clock.advance(1_800_001)
    }
  })

  test('200 mails a link that works once, for 24 hours', async () => {
    await register({ email: 'late@example.com' })
    await world.work()
    const { link } = (await world.mails())[0]!
    world.clock.advance(24 * 3_600_000)
    await assert.rejects(accounts.confirm(link), { code: 'reset_token_invalid' })
    world.clock.advance(-1)
    await accounts.confirm(link)
    await assert.rejects(accounts.confirm(link), { code: 'reset_token_invalid' })
  })

  test('200 mails a link that creates one customer when opened twelve times concurrently', async () => {
    await register({ email: 'twelve@example.com' })
    await world.work()
    const { link } = (await world.mails())[0]!
    const opened = await Promise.allSettled(Array.from({ length: 12 }, () => accounts.confirm(link)))
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1)
    assert(await accounts.signIn('twelve@example.com', registration.password))
  })

  test('200 stores neither the password nor the token', async () => {
    await register({ email: 'kept@example.com', password: 'kept-nowhere-at-all' })
    await world.work()
    const [mail] = await world.mails()
    const token = new URL(mail!.link).searchParams.get('token')!
    const kept = JSON.stringify(await accounts.everythingKept())
    assert(!kept.includes('kept-nowhere-at-all') && !kept.includes(token))
    assert(kept.includes('$argon2id$v=19$m=19456,t=2,p=1$'))
  })

  test('403 store_access_required if the operator requires a grant', async () => {
    await accounts.demandGrants(['register'])
    const answer = await register({ locale: 'xx', password: 'password' })
    assertRefused(answer, 403, 'store_access_required')
    assertRefused(await register({ grant: 'sfg_nonsense' }), 403, 'store_access_required')
    await accounts.demandGrants([])
    assert.equal((await register({ grant: 'sfg_nonsense' })).status, 200)
  })

  test('400 unsupported_locale with the supported ones, before the password is checked', async () => {
    const answer = await register({ locale: 'fr', password: 'password' })
    assertRefused(answer, 400, 'unsupported_locale')
    assert.equal(answer.body.details[0].pointer, '/locale')
  })

  test('400 password_too_weak: too short, too long, common, repetitive, a sequence, the address', async () => {
    for (const [password, code] of [
      ['1234567', 'wrong_length'],
      ['x'.repeat(129), 'wrong_length'],
      ['PassWord', 'too_common'],
      ['abababababab', 'repetitive'],
      ['password1', 'too_common'],
      ['defghijklm', 'sequence'],
      ['ada@example.com', 'like_email'],
      ['adalovelace', 'like_email'],
    ] as const) {
      const email = password === 'adalovelace' ? 'AdaLovelace@example.com' : 'ada@example.com'
      const answer = await register({ email, password })
      assertRefused(answer, 400, 'password_too_weak')
      const [detail] = answer.body.details
      assert.deepEqual([detail.in, detail.pointer, detail.code], ['body', '/password', code], password)
    }
  })

  test('200 accepts any eight characters that are not a common password', async () => {
    for (const password of ['qzxwvtkj', '        z', 'пароль-мой', '🦊🦊🐻🐼🐨🐯🦁🐮']) {
      assert.equal((await register({ email: 'odd@example.com', password })).status, 200, password)
    }
  })

  test('400 validation_failed for a document that is not in force', async () => {
    const answer = await register({ acceptedDocuments: [{ type: 'terms_of_use', version: '2025' }] })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual(
      answer.body.details.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/acceptedDocuments/0/type', 'unknown']],
    )

    await siteOf(world).publish({ version: '2026' })
    const older = await register({ acceptedDocuments: [{ type: 'terms_of_use', version: '2025' }] })
    assert.deepEqual(
      [older.body.details[0].pointer, older.body.details[0].message],
      ['/acceptedDocuments/0/version', 'The version in force is 2026.'],
    )
  })

  test('400 validation_failed without the terms in force; 200 with them, and their version is stored', async () => {
    const answer = await register({ acceptedDocuments: [] })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual([answer.body.details[0].pointer, answer.body.details[0].code], ['/acceptedDocuments', 'required'])

    const acceptedDocuments = [{ type: 'terms_of_use', version: '2026' }]
    assert.equal((await register({ email: 'agreed@example.com', acceptedDocuments })).status, 200)
    assert.match(JSON.stringify(await accounts.everythingKept()), /"version": ?"2026"/)
  })
})
