import { accessSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Debian packages, each with one of its programs. */
const PACKAGES = {
  caddy: 'caddy',
  debootstrap: 'debootstrap',
  openssl: 'openssl',
  'postgresql-15': 'pg_basebackup',
  'util-linux': 'unshare',
} as const

/** The folder for files that later runs reuse. Outside the repository, because its checks would read it. */
export const KEPT = join(tmpdir(), 'vitrine-kept')

/** Ends the process if packages are missing, with their names and how to install them. */
export function requirePackages(names: readonly (keyof typeof PACKAGES)[], needsRoot = false): void {
  if (needsRoot && process.getuid?.() !== 0) fail('Run this as root: it mounts, and changes the root directory.')
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/lib/postgresql/15/bin']
  const isThere = (program: string) =>
    folders.some((folder) => {
      try {
        accessSync(join(folder, program))
        return true
      } catch {
        // Try the next folder.
        return false
      }
    })
  const missing = names.filter((name) => !isThere(PACKAGES[name]))
  if (missing.length > 0)
    fail(`Missing Debian packages: sudo apt-get install --no-install-recommends ${missing.join(' ')}`)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
