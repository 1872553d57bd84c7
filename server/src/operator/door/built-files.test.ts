import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtFiles } from './built-files.ts'

test('the files of a build are read again after a failure, and then only once', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'vitrine-built-'))
  t.after(() => rm(root, { recursive: true }))
  const folder = join(root, 'dist/')
  // A file in place of the folder cannot be listed.
  await writeFile(join(root, 'dist'), '')
  const files = builtFiles(folder)
  await assert.rejects(files(), { code: 'ENOTDIR' })

  await rm(join(root, 'dist'))
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), 'a page')
  assert.equal((await files()).get('index.html')?.toString(), 'a page')
  await rm(join(folder, 'index.html'))
  assert.equal((await files()).size, 1)
})
