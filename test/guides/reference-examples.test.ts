import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Operation, operations } from '@vitrine/contract'
import { answerExampleOf } from '@vitrine/contract/openapi'
import { generateKeyPair, type VitrineClient, vitrine } from '@vitrine/sdk'
import { Value } from 'typebox/value'
import { curlOf, isSigned, LOCAL, sdkCallOf } from '../../site/src/reference/examples.ts'
import { temporaryFolder } from '../support/processes/command.ts'

/*
 * The examples of the reference are made of the rows. Each is compiled or run by a shell, and sends what its row takes.
 */

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const rows = Object.entries<Operation>(operations)

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function assertFits(row: Operation, { method, url, headers, body }: Sent): void {
  assert.equal(method, row.method)
  const { pathname, searchParams } = new URL(url, LOCAL)
  const pattern = new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  assert.match(decodeURIComponent(pathname), pattern)
  for (const name of searchParams.keys()) assert.ok(name in row.query.properties, name)
  if (row.body) assert.ok(Value.Check(row.body, JSON.parse(body)), body)
  assert.equal('idempotency-key' in headers, row.idempotency === 'required')
  const isPublic = row.auth.kind === 'public' || row.auth.kind === 'oauth'
  const scheme = isPublic ? undefined : String(headers.authorization).split(' ')[0]
  if (!isPublic) assert.match(String(scheme), isSigned(row) ? /^DPoP$/ : /^(Bearer|DPoP)$/)
  if (isSigned(row)) assert.ok(headers.dpop)
}

describe('the examples for TypeScript', () => {
  let examples: Readonly<Record<string, (shop: VitrineClient) => Promise<unknown>>>
  before(async () => {
    const folder = await temporaryFolder()
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
    const functions = rows.map(
      ([id, row]) => `${id}: async (shop: VitrineClient) => {\n${sdkCallOf(id, row)}\nreturn answer\n},`,
    )
    const program = `import type { VitrineClient } from '@vitrine/sdk'\nexport const examples = {\n${functions.join('\n')}\n}\n`
    await writeFile(join(folder, 'examples.ts'), program)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const config = {
      extends: join(repository, 'tsconfig.json'),
      include: ['examples.ts'],
      compilerOptions: { typeRoots: [join(repository, 'node_modules/@types')] },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = join(repository, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }) =>
      assert.fail(`does not compile\n${stdout}`),
    )
    ;({ examples } = await import(pathToFileURL(join(folder, 'examples.ts')).href))
  })

  test('each sends the request of its row', async () => {
    for (const [id, row] of rows) {
      const sent: Sent[] = []
      const shop = vitrine({
        baseUrl: LOCAL,
        key: 'sfk_test_example',
        privateKey: await generateKeyPair(),
        fetch: async (url, init) => {
          const headers = Object.fromEntries(new Headers(init?.headers))
          sent.push({ method: init?.method ?? 'GET', url: String(url), headers, body: String(init?.body ?? '') })
          return Response.json(answerExampleOf(row))
        },
      })
      await examples[id]!(shop)
      assert.equal(sent.length, 1, id)
      assertFits(row, sent[0]!)
    }
  })
})

test('each example for curl sends the request of its row', async () => {
  const received: Sent[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const commands = rows.map(([, row]) => `${curlOf(row).replaceAll(LOCAL, origin)} -sS`)
  const program = ['proof() { echo "proof of $1 $2"; }', ...commands].join('\n')
  const env = { ...process.env, READ_KEY: 'sfk_test_read', VITRINE_KEY: 'sfk_test_bound' }
  await run('/bin/sh', ['-e', '-c', program], { env })
  server.close()
  assert.equal(received.length, rows.length)
  for (const [index, [, row]] of rows.entries()) {
    const sent = received[index]!
    assertFits(row, sent)
    if (isSigned(row)) assert.equal(sent.headers.dpop, `proof of ${row.method} ${origin}${sent.url.split('?')[0]}`)
  }
})
