import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ACCOUNTS, registration, startAccounts } from '../../../../test/support/commerce/accounts.ts'
import { smtpServer } from '../../../../test/support/network/smtp.ts'

after(() => smtp[Symbol.asyncDispose]())
let smtp: Awaited<ReturnType<typeof smtpServer>>
let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  smtp = await smtpServer()
  accounts = await startAccounts({
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'Market <hello@market.example>' },
  })
  ;({ world } = accounts)
})

/** The link in the newest mail to an address, as a mail client shows it. */
function linkTo(recipient: string): string {
  const mail = smtp.received.findLast(({ to }) => to.includes(recipient))
  assert(mail, `no mail for ${recipient}`)
  const text = mail.raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')
  return /^https?:\/\/\S+/m.exec(text)![0]
}

describe('account mails through a real SMTP server', () => {
  test('confirm an account, let its owner choose a password, and report each change', async () => {
    await world.anonymous.post(ACCOUNTS.register, { ...registration, email: 'ada@example.com' })
    await world.work()
    assert.equal(smtp.received[0]?.from, 'hello@market.example')
    await accounts.confirm(linkTo('ada@example.com'))

    await world.anonymous.post(ACCOUNTS.requestReset, { email: 'ada@example.com' })
    await world.work()
    const token = new URL(linkTo('ada@example.com')).searchParams.get('token')
    const answer = await world.anonymous.post(ACCOUNTS.confirmReset, { token, newPassword: 'four words of my own' })
    assert.equal(answer.status, 200, answer.text)
    await world.work()

    const subjects = smtp.received.map(({ raw }) => /^Subject: (.*?)\r$/m.exec(raw)?.[1])
    assert.deepEqual(subjects, ['Confirm your email address', 'Choose a new password', 'Your password was changed'])
    assert(await accounts.signIn('ada@example.com', 'four words of my own'))
  })

  test('are sent once even if the job runs twice', async () => {
    const before = smtp.received.length
    await world.anonymous.post(ACCOUNTS.register, { ...registration, email: 'grace@example.com' })
    await Promise.all([world.work(), world.work(), world.work()])
    await world.work()
    assert.equal(smtp.received.length, before + 1)
  })

  test('leave no text behind after delivery', async () => {
    const mails = await world.mails()
    assert.deepEqual([...new Set(mails.map(({ text }) => text))], [''])
  })
})
