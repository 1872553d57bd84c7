import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startViesStandIn, type ViesStandIn } from '../../../../../test/support/network/vies-stand-in.ts'
import { viesProblem, viesRegistry } from './vies.ts'

const NUMBER = 'ATU13585627'

let vies: ViesStandIn
before(async () => {
  vies = await startViesStandIn()
})
const registry = (requester: string | null = 'DE136695976') =>
  viesRegistry({ url: vies.url, requester, timeoutMs: 5000 })

describe('VIES', () => {
  test('is asked about a number without its prefix, with the number of the requester', async () => {
    vies.says(NUMBER, { valid: true, name: 'Example GmbH', address: 'Beispielgasse 2\n1010 Wien' })
    const answer = await registry().check(NUMBER)
    assert.deepEqual(vies.asked.at(-1), {
      countryCode: 'AT',
      vatNumber: 'U13585627',
      requesterMemberStateCode: 'DE',
      requesterNumber: '136695976',
    })
    const consultationNumber = `WAPIAAAAW${vies.asked.length}`
    assert.deepEqual(answer, {
      outcome: 'valid',
      name: 'Example GmbH',
      address: 'Beispielgasse 2\n1010 Wien',
      consultationNumber,
    })
  })

  test('gives no consultation number without a requester, and no name where the member state has none', async () => {
    vies.says('DE136695976', { valid: true, name: '---', address: '---' })
    const answer = await registry(null).check('DE136695976')
    assert.deepEqual(answer, { outcome: 'valid', name: null, address: null, consultationNumber: null })
  })

  test('knows which numbers are not registered', async () => {
    assert.equal((await registry().check('EL094259216')).outcome, 'invalid')
    assert.deepEqual([vies.asked.at(-1)?.countryCode, vies.asked.at(-1)?.vatNumber], ['EL', '094259216'])
  })

  test('has not answered if a member state is unavailable, or if VIES is late or cannot be reached', async () => {
    vies.says(NUMBER, { error: 'MS_UNAVAILABLE' })
    const away = await registry().check(NUMBER)
    assert.ok(away.outcome === 'unanswered' && away.reason.includes('MS_UNAVAILABLE'))
    vies.says(NUMBER, { valid: true, name: 'x'.repeat(2_000_000), address: '' })
    assert.equal((await registry().check(NUMBER)).outcome, 'unanswered', 'the answer is too long')
    vies.says(NUMBER, 'silence')
    const late = viesRegistry({ url: vies.url, requester: null, timeoutMs: 50 })
    assert.equal((await late.check(NUMBER)).outcome, 'unanswered')
    const elsewhere = { url: 'http://127.0.0.1:9', requester: null, timeoutMs: 1000 }
    assert.equal((await viesRegistry(elsewhere).check(NUMBER)).outcome, 'unanswered')
    assert.deepEqual(
      [await viesProblem(elsewhere), await viesProblem({ ...elsewhere, url: vies.url })],
      ['fetch failed', null],
    )
  })
})
