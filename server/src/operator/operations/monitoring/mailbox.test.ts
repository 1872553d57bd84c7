import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { sendMail } from '../../../platform/mail/index.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  for (const recipient of ['ada@example.com', 'ben@example.com', 'cleo@example.com']) {
    world.clock.advance(1000)
    const bodies = { text: `Hello ${recipient}`, html: '<p>Hello</p>' }
    const mail = { kind: 'accounts.reset', recipient, locale: 'en', subject: 'Set a new password', bodies }
    await world.database.transaction(async (tx) => sendMail(tx, mail, { ids: world.ids, now: world.clock.now() }))
  }
})

const recipients = async (query: string) => {
  const { items, nextCursor } = (await operator.get(`/mails${query}`)).body.data
  return { seen: items.map(({ recipient }: { recipient: string }) => recipient), nextCursor }
}

describe('the mailbox', () => {
  test('lists mails newest first, in pages, by recipient and by status', async () => {
    const first = await recipients('?limit=2')
    assert.deepEqual(first.seen, ['cleo@example.com', 'ben@example.com'])
    const second = await recipients(`?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([second.seen, second.nextCursor], [['ada@example.com'], null])
    assert.deepEqual((await recipients('?q=BEN@')).seen, ['ben@example.com'])
    assert.deepEqual((await recipients('?status=kept')).seen, [])
    const foreign = await operator.get(`/mails?q=other&cursor=${first.nextCursor}`)
    assert.deepEqual([foreign.status, foreign.body.code], [400, 'invalid_cursor'])
  })

  test('finds an id by its start, and not by letters inside it', async () => {
    const [{ id }] = (await operator.get('/mails?q=cleo@')).body.data.items
    assert.deepEqual((await recipients(`?q=${id}`)).seen, ['cleo@example.com'])
    assert.deepEqual((await recipients(`?q=${id.slice(-8)}`)).seen, [])
  })

  test('shows the text of a mail that was not sent', async () => {
    const [{ id }] = (await operator.get('/mails?q=ada')).body.data.items
    const mail = (await operator.get(`/mails/${id}`)).body.data
    assert.deepEqual([mail.text, mail.status], ['Hello ada@example.com', 'waiting'])
    assert.ok(!('text' in (await operator.get('/mails')).body.data.items[0]), 'a list shows no words')
    const absent = await operator.get('/mails/mail_01k5b7m2q8e9rtv3w4x5y6z7a8')
    assert.deepEqual([absent.status, absent.body.code], [404, 'not_found'])
  })

  test('shows the link in an email to an operator only to those who manage operators', async () => {
    const password = 'a long enough pass phrase'
    const clientOf = async (role: string) => {
      const email = `${role}@shop.example`
      await operator.change('POST', '/operators', { email, role, password })
      const { headers } = await (await operatorClient(world, {})).send('POST', '/sessions', { email, password })
      return operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
    }
    const [owner, manager] = [await clientOf('owner'), await clientOf('manager')]
    await manager.send('POST', '/password-resets', { email: 'owner@shop.example' })
    await world.work()
    const [{ id }] = (await manager.get('/mails?q=operators.reset')).body.data.items
    const { text, html, recipient } = (await manager.get(`/mails/${id}`)).body.data
    assert.deepEqual([text, html, recipient], [undefined, undefined, 'owner@shop.example'])
    assert.match((await owner.get(`/mails/${id}`)).body.data.text, /choose-password#/)
    const exported = await manager.change('POST', '/people/export', { person: 'owner@shop.example' })
    assert.doesNotMatch(JSON.stringify(exported), /choose-password#/)
    const [ada] = (await manager.get('/mails?q=ada')).body.data.items
    assert.equal((await manager.get(`/mails/${ada.id}`)).body.data.text, 'Hello ada@example.com')
  })
})
