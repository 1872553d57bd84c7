import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, registration, startAccounts } from '../support/commerce/accounts.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'

let world: Awaited<ReturnType<typeof startAccounts>>['world']
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  ;({ world } = await startAccounts())
  folder = await temporaryFolder()
  await serveOperatorApi({ DATABASE_URL: world.databaseUrl, DATA_DIR: folder })
})

const mailbox = (...args: string[]) =>
  command(['mailbox', ...args], { env: { DATABASE_URL: world.databaseUrl, DATA_DIR: folder } })

describe('vitrine mailbox', () => {
  test('lists the stored mails newest first, and shows one with its link', async () => {
    assert.match((await mailbox('list')).out, /^There are no mails\.\n$/)
    for (const email of ['first@example.com', 'second@example.com']) {
      await world.anonymous.post(ACCOUNTS.register, { ...registration, email })
      await world.work()
      world.clock.advance(1000)
    }
    const { code, out } = await mailbox('list', '--json')
    const listed = JSON.parse(out)
    assert.equal(code, 0)
    assert.deepEqual(
      listed.map((mail: Record<string, string>) => [mail.recipient, mail.kind, mail.status]),
      [
        ['second@example.com', 'accounts.confirm', 'kept'],
        ['first@example.com', 'accounts.confirm', 'kept'],
      ],
    )
    const shown = await mailbox('show', listed[0].id)
    assert.match(shown.out, /^To: {6}second@example\.com\n/)
    assert.match(shown.out, /\/account\/confirm\?token=[\w-]{43}&locale=en/)
    const { text } = JSON.parse((await mailbox('show', listed[0].id, '--json')).out)
    assert(shown.out.includes(text))
  })

  test('explains in a sentence what it cannot do', async () => {
    const missing = await mailbox('show', 'mail_nowhere')
    assert.deepEqual([missing.code, missing.err], [1, 'vitrine: There is no mail "mail_nowhere".\n'])
    const misused = await mailbox('list', '--limit', '0')
    assert.deepEqual([misused.code, misused.out], [2, ''])
    assert.match(misused.err, /--limit must be a whole number from 1 to 1000, not "0"\./)
  })
})
