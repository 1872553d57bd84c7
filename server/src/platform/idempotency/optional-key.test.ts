import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operatorOperations } from '@vitrine/contract/operator'
import { type OperatorClient, operatorClient } from '../../../../test/support/operator.ts'
import { startWorld } from '../../../../test/support/world.ts'

let operator: OperatorClient
before(async () => {
  operator = await operatorClient(await startWorld())
})

const summer = { title: { en: 'Summer' }, effect: { kind: 'free_shipping' } }
const create = (key: string, body: object = summer) =>
  operator.send('POST', '/promotions', body, { 'idempotency-key': key })
const countPromotions = async () => (await operator.get('/promotions')).body.data.items.length

test('a change that is repeated with its key has one effect, and gets the same answer', async () => {
  const before = await countPromotions()
  const first = await create('lost-answer')
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const again = await create('lost-answer')
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(await countPromotions(), before + 1)

  const other = await create('lost-answer', { ...summer, title: { en: 'Winter' } })
  assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'])
  assert.equal((await create('another-key')).status, 200)
  assert.equal(await countPromotions(), before + 2)
})

test('a change that is sent twice at once with its key has one effect', async () => {
  const before = await countPromotions()
  const answers = await Promise.all([create('at-once'), create('at-once')])
  const codes = answers.map(({ status, body }) => (status === 200 ? 200 : body.code))
  assert(codes.includes(200) && codes.every((code) => [200, 'idempotency_in_progress'].includes(code)), codes.join())
  assert.equal(await countPromotions(), before + 1)
})

test('a change that was refused can be sent again with its key', async () => {
  const coded = { ...summer, code: 'ONCE' }
  const taken = await operator.change('POST', '/promotions', coded)
  assert.equal((await create('refused', coded)).body.code, 'name_taken')
  await operator.change('PATCH', `/promotions/${taken.id}`, { code: 'OTHER' })
  assert.equal((await create('refused', coded)).status, 200)
})

test('a key that is not one is refused', async () => {
  assert.equal((await create('x'.repeat(256))).body.code, 'idempotency_key_invalid')
})

test('every operation that accepts a key runs in the transaction of the key', () => {
  const keyed = Object.entries(operatorOperations).filter(([, row]) => 'idempotencyKey' in row)
  assert(keyed.length > 0)
  for (const [id, row] of keyed) {
    assert(row.method !== 'GET' && !('ownTransactions' in row) && !('upload' in row), id)
  }
})
