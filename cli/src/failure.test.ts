import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupOf, restoreInto, statement } from '@vitrine/server'
import { testDatabase } from '../../test/support/database.ts'
import { connectionProxy } from '../../test/support/network/connection-proxy.ts'
import { sentenceOf } from './failure.ts'
import { keepSetupLink, operatorToken } from './operator-token.ts'

test('a PostgreSQL without a free connection is explained, even as the cause of a failed transaction', () => {
  const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
  for (const name of ['RolledBack', 'Unreachable']) {
    assert.match(sentenceOf(Object.assign(new Error('failed', { cause: full }), { name })) ?? '', /no free connection/)
  }
  assert.equal(sentenceOf(new Error('another error', { cause: full })), null)
})

test('a backup or a restore that PostgreSQL ends says so in a sentence, at whichever step', async (t) => {
  const { database, url } = await testDatabase(t)
  const { database: other, url: otherUrl } = await testDatabase(t)
  const end = statement(
    '',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
  )
  async function* ended(bytes: AsyncIterable<Buffer> | Iterable<Buffer>, at: number, end: () => Promise<unknown>) {
    let number = 0
    for await (const each of bytes) {
      number += 1
      if (number === at) await end()
      yield each
    }
  }
  const read = async (bytes: AsyncIterable<Buffer>) => {
    const all: Buffer[] = []
    for await (const each of bytes) all.push(each)
    return all
  }
  const backup = () => backupOf(url, { now: new Date(0) })
  const whole = await read(backup())
  for (const at of [1, 60]) {
    const endBackup = () => database.reader.rows(end, ['vitrine backup'])
    await assert.rejects(read(ended(backup(), at, endBackup)), (error) => sentenceOf(error) === LOST, `backup ${at}`)
  }
  const endRestore = () => other.reader.rows(end, ['vitrine restore'])
  const restoring = restoreInto(otherUrl, ended(whole, 20, endRestore))
  await assert.rejects(restoring, (error) => sentenceOf(error) === LOST)

  // Of a connection that is reset, as by a write to an ended one, the driver reports only the error of the socket.
  const proxy = await connectionProxy(otherUrl)
  t.after(() => proxy.close())
  const reset = async () => proxy.resetAll()
  const backupThrough = () => read(ended(backupOf(proxy.url, { now: new Date(0) }), 1, reset))
  const restoreThrough = () => restoreInto(proxy.url, ended(whole, 20, reset))
  for (const broken of [backupThrough, restoreThrough])
    await assert.rejects(broken(), (error) => sentenceOf(error) === LOST, broken.name)
})

const LOST = 'PostgreSQL ended the connection: check that it is running, then run the command again.'

test('a connection that PostgreSQL refuses or ends is explained in each of its forms', () => {
  const failed = (message: string, code?: string) => sentenceOf(Object.assign(new Error(message), code && { code }))
  assert.equal(failed('terminating connection because of crash of another server process', '57P02'), LOST)
  assert.equal(failed('Connection terminated unexpectedly'), LOST)
  assert.match(failed('the database system is starting up', '57P03') ?? '', /is starting or stopping/)
})

test('a read-only file system and a taken port are explained, with the option that a command has for its port', () => {
  const failed = (code: string, facts: object) => sentenceOf(Object.assign(new Error(code), { code, ...facts }))
  assert.equal(failed('EROFS', { path: '/data/doors.json' }), '/data/doors.json is on a read-only file system.')
  assert.match(failed('EADDRINUSE', { address: '127.0.0.1', port: 9000 }) ?? '', /127\.0\.0\.1:9000 is taken.*--port/)
})

test('a state of PostgreSQL that is no fault of the command is a sentence, a fault of the command is not', () => {
  const failed = (code: string, message: string) => sentenceOf(Object.assign(new Error(message), { code }))
  const readOnly = failed('25006', 'cannot execute INSERT in a read-only transaction')
  assert.equal(readOnly, 'PostgreSQL refuses this: cannot execute INSERT in a read-only transaction.')
  assert.match(failed('53100', 'could not extend file: No space left on device') ?? '', /No space left/)
  assert.match(failed('42501', 'permission denied for table carts') ?? '', /permission denied/)
  assert.equal(failed('42P01', 'relation "stores" does not exist'), null)
})

test('a host name that cannot be resolved is named, and so is what stands where a folder should be', () => {
  const failed = (code: string, facts: object) => sentenceOf(Object.assign(new Error(code), { code, ...facts }))
  assert.match(failed('ENOTFOUND', { hostname: 'nowhere.invalid' }) ?? '', /^The host name nowhere\.invalid cannot be/)
  assert.match(failed('EADDRNOTAVAIL', { address: '192.0.2.1' }) ?? '', /check HOST and OPERATOR_HOST/)
  assert.equal(failed('EEXIST', { syscall: 'mkdir', path: '/data' }), '/data is a file, not a folder.')
  assert.equal(failed('ENOENT', { syscall: 'mkdir', path: '/data' }), 'The folder /data cannot be created.')
})

test('a token that another process is writing is read once it is there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rm(folder, { recursive: true }))
  const [file, token] = [join(folder, 'operator-token'), 'x'.repeat(43)]
  await writeFile(file, '')
  const found = operatorToken(folder)
  found.catch(() => null)
  // By then the file has been found empty.
  for (let read = 0; read < 20; read += 1) await readFile(file)
  await writeFile(file, `${token}\n`)
  assert.equal(await found, token)
})

test('a token file without a token is a sentence that says what to do', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'operator-token'), '')
  await assert.rejects(operatorToken(folder), (error) => /contains no token\. Delete it/.test(sentenceOf(error) ?? ''))
})

test('the setup link is kept by two processes that start at the same time', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-link-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = 'http://127.0.0.1:8082/setup#token'
  await Promise.all(Array.from({ length: 8 }, () => keepSetupLink(folder, url)))
  assert.equal(await readFile(join(folder, 'setup-link'), 'utf8'), `${url}\n`)
  assert.deepEqual(await readdir(folder), ['setup-link'])
})
