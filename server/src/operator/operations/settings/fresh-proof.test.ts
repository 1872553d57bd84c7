import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorOperation, operatorOperations } from '@vitrine/contract/operator'
import { codeOfApp, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const PASSWORD = 'a long enough pass phrase'
const MINUTE_MS = 60_000

let world: World
let commandLine: OperatorClient
before(async () => {
  world = await startWorld()
  commandLine = await operatorClient(world)
})

async function signedIn(email: string): Promise<OperatorClient> {
  await commandLine.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
  const anonymous = await operatorClient(world, {})
  const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
  return operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
}

const rows = Object.entries(operatorOperations as Readonly<Record<string, OperatorOperation>>)
const dangerous = rows.filter(([, { freshProof }]) => freshProof === 'always')

/** Calls a row with nothing that it needs, so that it changes nothing. @returns the code of the refusal */
async function codeOfEmptyCall(client: OperatorClient, { method, path }: OperatorOperation): Promise<string> {
  const filled = path.replace('/operator/v1', '').replaceAll(/\{\w+\}/g, 'none-of-this-name')
  return (await client.send(method, filled, [])).body.code
}

describe('a fresh proof of identity', () => {
  test('lasts ten minutes after signing in; then each dangerous row requires one, before it reads anything', async () => {
    const client = await signedIn('minutes@operator.example')
    world.clock.advance(10 * MINUTE_MS - 1)
    for (const [id, row] of dangerous) assert.notEqual(await codeOfEmptyCall(client, row), 'fresh_proof_required', id)
    world.clock.advance(1)
    for (const [id, row] of dangerous) assert.equal(await codeOfEmptyCall(client, row), 'fresh_proof_required', id)
    assert.deepEqual(
      dangerous.map(([id]) => id),
      [
        'saveBankAccount',
        'createStaff',
        'setStaffPassword',
        'createInstallationKey',
        'rotateInstallationKey',
        'recordReadinessProof',
        'createIntegration',
        'replaceIntegrationToken',
        'createIntegrationWebhook',
        'updateIntegrationWebhook',
        'createOAuthClient',
        'removeOAuthClient',
        'createOAuthCode',
        'addOperator',
        'inviteOperatorAgain',
        'updateOperator',
        'createOperatorLink',
        'beginSecondFactor',
        'removeSecondFactor',
        'saveOperatorPolicy',
        'beginPasskey',
        'registerPasskey',
        'removeOwnPasskey',
        'unbindOperator',
        'rotateSecret',
        'rotateSealingKey',
        'forgetPlainSecrets',
      ],
    )
  })

  test('is given with the password, and then the request passes; other rows never ask', async () => {
    const client = await signedIn('password@operator.example')
    world.clock.advance(11 * MINUTE_MS)
    const add = () => client.send('POST', '/operators', { email: 'new@operator.example', role: 'support' })
    assert.deepEqual([(await add()).status, (await add()).body.code], [401, 'fresh_proof_required'])
    assert.equal((await client.get('/operators')).status, 200)

    assert.deepEqual((await client.get('/session/proof')).body.data.methods, ['password'])
    const wrong = await client.send('POST', '/session/proof', { password: 'not it at all' })
    assert.equal(wrong.body.details[0].pointer, '/password')
    assert.equal((await add()).body.code, 'fresh_proof_required')
    world.clock.advance(1000)
    const { validUntil } = await client.change('POST', '/session/proof', { password: PASSWORD })
    assert.equal(validUntil, new Date(world.clock.now().getTime() + 10 * MINUTE_MS).toISOString())
    assert.equal((await add()).status, 200)

    const entries = (await commandLine.get('/audit-log?operation=proveOwnSession')).body.data.items
    const ours = entries.filter((each: { operator: { email: string } }) => each.operator.email.startsWith('password@'))
    assert.deepEqual(
      ours.map(({ after }: { after: unknown }) => after),
      [{ proof: 'given' }, { proof: 'failed' }],
    )
  })

  test('is the code of the second factor for an operator who has one; the password is not enough', async () => {
    const client = await signedIn('code@operator.example')
    const { key } = await client.change('POST', '/session/second-factor', { password: PASSWORD })
    await client.change('POST', '/session/second-factor/confirm', { code: codeOfApp(key, world.clock.now()) })
    world.clock.advance(11 * MINUTE_MS)
    assert.deepEqual((await client.get('/session/proof')).body.data.methods, ['code'])
    const answer = await client.send('POST', '/session/proof', { password: PASSWORD })
    assert.equal(answer.body.details[0].pointer, '/code')
    await client.change('POST', '/session/proof', { code: codeOfApp(key, world.clock.now()) })
    const policy = { requiresSecondFactor: false, proofForRefundsOver: 250 }
    await client.change('PUT', '/operator-policy', policy)
  })

  test('is not required from the command line, which has no session that could be left open', async () => {
    world.clock.advance(24 * 60 * MINUTE_MS)
    await commandLine.change('POST', '/operators', { email: 'line@operator.example', role: 'support' })
    assert.deepEqual((await commandLine.get('/session/proof')).body.data, { methods: [] })
    const answer = await commandLine.send('POST', '/session/proof', { password: PASSWORD })
    assert.equal(answer.body.code, 'session_required')
  })
})
