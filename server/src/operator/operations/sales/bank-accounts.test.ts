import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startShop } from '../../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'

let operator: Awaited<ReturnType<typeof operatorClient>>
before(async () => {
  operator = await operatorClient(await startShop())
})

const ACCOUNT = { holder: 'Ceramics GmbH', iban: 'DE02 1203 0000 0000 2020 51', bic: 'BYLADEM1001' }
const save = (account?: object) =>
  operator.send('PUT', '/bank-accounts/EUR', { environment: 'live', ...(account && { account }) })

describe('the account for bank transfers', () => {
  test('is saved without spaces, and an earlier one is kept in the list', async () => {
    assert.equal((await save(ACCOUNT)).status, 200)
    assert.equal((await save({ ...ACCOUNT, holder: 'Ceramics AG' })).status, 200)
    assert.equal((await save()).status, 200)
    const { items } = (await operator.get('/bank-accounts?environment=live')).body.data
    const holders = items.map(({ account }: { account?: { holder: string } }) => account?.holder ?? null)
    assert.deepEqual(holders, [null, 'Ceramics AG', 'Ceramics GmbH'])
    assert.equal(items[2].account.iban, 'DE02120300000000202051')
  })

  test('is refused with wrong check digits, without IBAN and details, and for an unknown store', async () => {
    assert.equal(
      (await save({ ...ACCOUNT, iban: 'DE03 1203 0000 0000 2020 51' })).body.details[0].pointer,
      '/account/iban',
    )
    assert.equal((await save({ holder: 'Ceramics' })).body.code, 'validation_failed')
    const unknown = { environment: 'live', storeSlug: 'nowhere', account: ACCOUNT }
    assert.equal((await operator.send('PUT', '/bank-accounts/EUR', unknown)).body.code, 'not_found')
  })
})
