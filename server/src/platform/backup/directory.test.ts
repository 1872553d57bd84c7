import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DRILL_FILE, nameOfBackup, outdatedBackups, readBackups } from './directory.ts'

const NOW = new Date('2026-11-23T03:15:00Z')
const file = (daysAgo: number) => {
  const at = new Date(NOW.getTime() - daysAgo * 86_400_000)
  return { name: nameOfBackup(at), at, bytes: 1 }
}

test('backups are kept for the configured number of days, and the newest one always', () => {
  assert.equal(nameOfBackup(NOW), 'vitrine-2026-11-23T03-15-00Z.vitrine')
  const [today, month, older] = [file(0), file(30), file(31)]
  assert.deepEqual(outdatedBackups([today, month, older], NOW, 30), [older])
  assert.deepEqual(outdatedBackups([older], NOW, 30), [])
  assert.deepEqual(outdatedBackups([], NOW, 30), [])
})

test('a backup that was made while the clock was ahead does not pass for the newest', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-backups-'))
  t.after(() => rm(directory, { recursive: true }))
  const [ahead, month, today] = [file(-4000), file(30), file(0)].map(({ name }) => name)
  for (const name of [ahead, month]) await writeFile(join(directory, name!), 'backup')
  const names = async () => (await readBackups(directory, NOW)).files.map(({ name }) => name)
  assert.deepEqual(await names(), [month, ahead])
  await writeFile(join(directory, today!), 'backup')
  assert.deepEqual(await names(), [today, month, ahead])
})

test('a damaged record of the last drill is named, with what to do', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-backups-'))
  t.after(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, DRILL_FILE), '{"file":')
  await assert.rejects(readBackups(directory, NOW), /last-drill\.json is damaged\. Remove it: vitrine backups verify/)
})
