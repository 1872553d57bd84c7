import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { statement } from '@vitrine/server'
import { productLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  await serveOperatorApi({ DATABASE_URL: url, DATA_DIR: folder })
})

interface Entry {
  readonly operation: string
  readonly operator_email: string
  readonly subject_id: string
  readonly after: Readonly<Record<string, unknown>>
}
const entries = statement<Entry>(
  'test.entries',
  `select log.*, coalesce(kept.before, log.before) as before, coalesce(kept.after, log.after) as after
   from audit_log log left join audit_values kept on kept.audit_id = log.id order by at, log.id`,
)

/** What a command leaves in the audit log. */
async function leftBy(words: readonly string[], { code = 0, input = '' } = {}) {
  const before = await database.reader.rows(entries)
  const ran = await command([...words, '--json'], { env: { DATABASE_URL: url, DATA_DIR: folder }, input })
  assert.equal(ran.code, code, ran.err)
  const left = (await database.reader.rows(entries)).slice(before.length)
  return { left, said: code === 0 ? JSON.parse(ran.out) : null }
}

describe('the audit log', () => {
  test('records each change of a command with actor, subject and operation, but no reads or refusals', async () => {
    const create = ['installation', 'create', '--name', 'A shop', '--environment', 'test']
    const { left: made, said: installation } = await leftBy(create)
    assert.deepEqual(
      made.map(({ operation, operator_email, after }) => [operation, operator_email, after]),
      [
        [
          'createInstallation',
          `command line (${userInfo().username})`,
          { name: 'A shop', environment: 'test', origins: [], returnUrls: [] },
        ],
      ],
    )
    const suspended = (await leftBy(['installation', 'suspend', installation.id])).left
    assert.deepEqual(
      suspended.map(({ operation, subject_id }) => [operation, subject_id]),
      [['updateInstallation', installation.id]],
    )
    assert.deepEqual((await leftBy(['installation', 'list'])).left, [])
    assert.deepEqual((await leftBy(['installation', 'suspend', 'ins_none'], { code: 1 })).left, [])
  })

  test('records the start and the end of an import, however many transactions it takes', async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => JSON.stringify(productLine(`p-${index}`)))
    await writeFile(join(folder, 'many.jsonl'), lines.join('\n'))
    const { left } = await leftBy(['catalog', 'import', join(folder, 'many.jsonl'), '--store', 'loom'])
    assert.deepEqual(
      left.map(({ operation, after: { status, fileName, store, created } }) => [
        operation,
        status,
        fileName,
        store,
        created,
      ]),
      [
        ['importCatalog', 'running', 'many.jsonl', 'loom', undefined],
        ['importCatalog', 'completed', 'many.jsonl', 'loom', 1200],
      ],
    )
  })

  test('contains no password from standard input', async () => {
    const password = 'linen in the morning'
    const access = ['store', 'access', 'loom', '--mode', 'password', '--password-stdin']
    const { left } = await leftBy(access, { input: `${password}\n` })
    assert.deepEqual([left.length, left[0]?.operation, left[0]?.after.mode], [1, 'setStoreAccess', 'password'])
    assert.ok(!JSON.stringify(left).includes(password))
  })
})
