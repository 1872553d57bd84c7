import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from './database.ts'
import { sessionStore } from './session.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-shop-'))
const database = openDatabase(folder)
after(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('concurrent requests of one browser keep the changes of each other', () => {
  const sessions = sessionStore(database)
  const token = sessions.save(undefined, { notice: { tone: 'good', text: 'Added.' } })
  // One request created a cart while another showed the notice.
  sessions.save(token, { cartId: 'cart_1', units: 2 })
  sessions.save(token, { notice: undefined })
  assert.deepEqual(sessions.load(token), { orderIds: [], storeAccess: {}, cartId: 'cart_1', units: 2 })
})

test('a session is found only by its token, which is not in the database', () => {
  const sessions = sessionStore(database)
  const token = sessions.save(undefined, { cartId: 'cart_2' })
  assert.equal(sessions.load(token).cartId, 'cart_2')
  assert.deepEqual(sessions.load('another'), { orderIds: [], storeAccess: {} })
  const stored = database.prepare('select id, content from sessions').all()
  assert.ok(!JSON.stringify(stored).includes(token))
  sessions.delete(token)
  assert.equal(sessions.load(token).cartId, undefined)
})
