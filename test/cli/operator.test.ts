import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import {
  background,
  command,
  freePorts,
  launched,
  type Running,
  temporaryFolder,
} from '../support/processes/command.ts'

let folder: string
let doorsFile: string
/** Settings of a second terminal: only the data directory. */
let second: { readonly DATA_DIR: string }
let own: { readonly DATA_DIR: string; readonly DATABASE_URL: string }
before(async () => {
  folder = await temporaryFolder()
  doorsFile = join(folder, 'doors.json')
  second = { DATA_DIR: folder }
  own = { ...second, DATABASE_URL: (await testDatabase()).url }
})

async function json(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, out, err } = await command([...args, '--json'], { env })
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out)
}

describe('vitrine operator, without a server', () => {
  test('calls any operation, uploads a file and writes a download', async () => {
    const body = JSON.stringify({ name: 'App', environment: 'test' })
    const { id } = await json(['operator', 'createInstallation', '--body', body], own)
    assert.equal((await json(['operator', 'getInstallation', '--param', `installationId=${id}`], own)).name, 'App')

    await writeFile(join(folder, 'stores.jsonl'), JSON.stringify(storeLine('loom')))
    const upload = ['operator', 'importCatalog', '--query', 'format=jsonl', '--file', join(folder, 'stores.jsonl')]
    const { id: importId } = await json(upload, own)
    const { status, created } = await json(['operator', 'getImport', '--param', `importId=${importId}`], own)
    assert.deepEqual([status, created], ['completed', 1])
    const file = join(folder, 'loom.jsonl')
    const download = ['operator', 'exportCatalog', '--param', 'storeSlug=loom', '--output', file]
    assert.deepEqual(await json(download, own), { file })
    assert.equal(JSON.parse(await readFile(file, 'utf8')).slug, 'loom')
  })

  test('privacy export writes a file that only its owner can read, also over one that others could read', async () => {
    const file = join(folder, 'person.json')
    await writeFile(file, 'an earlier export', { mode: 0o644 })
    await json(['privacy', 'export', 'ada@example.com', '--out', file], own)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match(await readFile(file, 'utf8'), /^\{/)
  })

  test('reset prints a link that opens the account of an operator, and names an unknown address', async () => {
    const body = JSON.stringify({
      email: 'ada@operator.example',
      role: 'owner',
      password: 'a phrase that is forgotten',
    })
    await json(['operator', 'addOperator', '--body', body], own)
    const link = await json(['operator', 'reset', 'Ada@operator.example'], own)
    assert.match(link.url, /\/choose-password#[\w-]{43}$/)
    assert.equal(link.enabled, false)
    const { code, err } = await command(['operator', 'reset', 'ben@operator.example'], { env: own })
    assert.equal(code, 1)
    assert.match(err, /No operator has the address ben@operator.example/)
  })

  test('reset says that it enables an operator who was disabled, and so does the audit log', async () => {
    const body = JSON.stringify({
      email: 'eve@operator.example',
      role: 'support',
      password: 'a phrase that is forgotten',
    })
    const { id } = await json(['operator', 'addOperator', '--body', body], own)
    const disabling = ['operator', 'updateOperator', '--param', `operatorId=${id}`, '--body', '{"status":"disabled"}']
    await json(disabling, own)
    const { out } = await command(['operator', 'reset', 'eve@operator.example'], { env: own })
    assert.match(out, /^eve@operator\.example was disabled, and is enabled again\.\n/)
    const [, entry] = (await json(['operator', 'listAuditLog', '--query', `subject=${id}`], own)).items
    assert.equal(entry.operation, 'updateOperator')
  })

  test('prints a refusal as the API returns it, and exits with 1', async () => {
    const { code, out, err } = await command(['operator', 'getStore', '--param', 'storeSlug=nowhere', '--json'], {
      env: own,
    })
    assert.deepEqual([code, out, JSON.parse(err).code], [1, '', 'not_found'])
  })

  test('explains an invalid call, and exits with 2', async () => {
    for (const [args, says] of [
      [['getStores'], /no operation "getStores"/],
      [['getStore'], /needs --param storeSlug=/],
      [['importOrders'], /importOrders needs --file/],
      [['listStores', '--file', 'x'], /listStores takes no --file/],
      [['listStores', '--output', 'x'], /listStores returns no file/],
    ] as const) {
      const { code, err } = await command(['operator', ...args])
      assert.equal(code, 2)
      assert.match(err, says)
    }
  })
})

describe('a download that is cut off', () => {
  test('leaves an earlier file as it was, and nothing else', async (t) => {
    const place = await temporaryFolder()
    const door = createServer((request, response) => {
      if (request.url === '/livez') return void response.end()
      response.writeHead(200, { 'content-length': 100 })
      response.write('half a line', () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    t.after(() => door.close())
    const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
    await writeFile(join(place, 'doors.json'), JSON.stringify({ operator: { url, pid: process.pid, database: null } }))
    const file = join(place, 'loom.jsonl')
    for (const args of [
      ['operator', 'exportCatalog', '--param', 'storeSlug=loom', '--output', file],
      ['catalog', 'export', file, '--store', 'loom'],
    ]) {
      await writeFile(file, 'the export of yesterday')
      const { code } = await command(args, { env: { DATA_DIR: place } })
      const left = (await readdir(place)).filter((name) => name.startsWith('loom'))
      assert.deepEqual([code, await readFile(file, 'utf8'), left], [1, 'the export of yesterday', ['loom.jsonl']])
    }
  })
})

describe('a command next to a running server', () => {
  let server: Running
  let doors: Record<string, string>
  before(async () => {
    server = background(['start', '--empty', '--roles', 'public,operator', '--json'], {
      env: { ...own, ...(await freePorts()) },
    })
    ;({ doors } = JSON.parse(await server.saying(/^\{.*\}\n$/s)))
  })

  test('the server opens the requested doors and no others', async () => {
    assert.deepEqual(Object.keys(doors), ['public', 'operator'])
    assert.equal((await fetch(`${doors.operator}/readyz`)).status, 200)
  })

  test('finds its doors in the data directory, which its owner alone can read', async () => {
    assert.equal((await stat(doorsFile)).mode & 0o777, 0o600)
    // No database is named here: the server's own is used.
    const { id } = await json(['installation', 'create', '--name', 'Through the door'], second)
    const listed: { id: string }[] = JSON.parse(
      (await launched(['installation', 'list', '--json'], { env: second })).out,
    )
    assert.ok(listed.some((each) => each.id === id))
    const [entry] = (await json(['operator', 'listAuditLog', '--query', `subject=${id}`], second)).items
    assert.deepEqual(
      [entry.operation, entry.operator.email],
      ['createInstallation', `command line (${userInfo().username})`],
    )
    const categories = await json(['call', 'listCatalogCategories'], second)
    assert.ok(Array.isArray(categories.data))
  })

  test('accepts --json in any position', async () => {
    const { code, out } = await command(['installation', '--json', 'list'], { env: second })
    assert.equal(code, 0)
    assert.ok(Array.isArray(JSON.parse(out)))
    assert.match(JSON.parse((await command(['--json', '--version'])).out).version, /^\d+\.\d+\.\d+$/)
  })

  test('opens the database itself after the server has stopped, or was killed and left its file of doors behind', async () => {
    const left = await readFile(doorsFile, 'utf8')
    server.child.kill('SIGTERM')
    await server.ended
    await assert.rejects(stat(doorsFile), { code: 'ENOENT' })
    await writeFile(doorsFile, left)
    assert.ok(Array.isArray(await json(['installation', 'list'], own)))
  })
})
