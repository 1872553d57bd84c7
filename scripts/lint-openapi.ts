import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentDocument } from './reference-pages.ts'

/** Writes the OpenAPI document and runs both linters on it. Fails if either finds an error or a warning. */

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'vitrine-openapi-'))
const file = join(folder, 'openapi.json')
const tools = [
  ['redocly', 'lint', file, '--config', 'redocly.yaml', '--format', 'stylish'],
  ['spectral', 'lint', file, '--ruleset', '.spectral.yaml', '--fail-severity', 'warn'],
] as const

try {
  writeFileSync(file, JSON.stringify(currentDocument(), null, 2))
  for (const [tool, ...rest] of tools) {
    const { status } = spawnSync(join(root, 'node_modules', '.bin', tool), rest, {
      cwd: root,
      stdio: 'inherit',
      // A check sends no telemetry and shows no update notices.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
