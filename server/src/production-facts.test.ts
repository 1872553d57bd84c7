import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { DRILL_FILE } from './platform/backup/directory.ts'
import { problemsOfProof } from './production-facts.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
const SHOP = { PUBLIC_URL: 'http://api.shop.example', PAGES_URL: 'https://pay.shop.example' }
const problems = (code: string, more: Record<string, string> = {}) =>
  problemsOfProof(readConfig({ ...SHOP, ...more }), code, NOW)

test('facts contradict a readiness proof: an address without https, no mail server, no recent drill', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-facts-'))
  try {
    assert.deepEqual(await problems('public_address_https'), ['PUBLIC_URL is http://api.shop.example: not https.'])
    assert.deepEqual(await problems('public_address_https', { PUBLIC_URL: 'https://api.shop.example' }), [])
    assert.deepEqual((await problems('mail_delivered')).length, 1)
    assert.deepEqual(await problems('mail_delivered', { SMTP_URL: 'smtp://mail.shop.example' }), [])
    assert.deepEqual(
      await problems('backup_restored'),
      [],
      'an operator vouches for backups that are made by other means',
    )
    assert.equal((await problems('backup_restored', { BACKUP_DIR: folder })).length, 1)
    const drill = { file: 'a', rows: 1, seconds: 1, restoredAt: '2026-11-01T00:00:00.000Z' }
    await writeFile(join(folder, DRILL_FILE), JSON.stringify(drill))
    assert.deepEqual(await problems('backup_restored', { BACKUP_DIR: folder }), [])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('no facts contradict the proofs of a service that only its own machine reaches', async () => {
  const config = readConfig({})
  for (const code of ['public_address_https', 'mail_delivered', 'backup_restored']) {
    assert.deepEqual(await problemsOfProof(config, code, NOW), [])
  }
})
