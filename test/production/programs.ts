import { accessSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Debian's packages with a program of each. */
const PACKAGES = {
  caddy: 'caddy',
  debootstrap: 'debootstrap',
  openssl: 'openssl',
  'postgresql-15': 'pg_basebackup',
  'util-linux': 'unshare',
} as const

/** What is kept for later runs. Outside the repository, whose checks would look into it. */
export const KEPT = join(tmpdir(), 'vitrine-kept')

/** @throws Error that names what is missing and how to install it */
export function requirePackages(names: readonly (keyof typeof PACKAGES)[], needsRoot = false): void {
  if (needsRoot && process.getuid?.() !== 0)
    throw new Error('Run this as root: it mounts, and changes the root directory.')
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/lib/postgresql/15/bin']
  const isThere = (program: string) =>
    folders.some((folder) => {
      try {
        accessSync(join(folder, program))
        return true
      } catch {
        // Not in this folder.
        return false
      }
    })
  const missing = names.filter((name) => !isThere(PACKAGES[name]))
  if (missing.length > 0)
    throw new Error(`Missing Debian packages: sudo apt-get install --no-install-recommends ${missing.join(' ')}`)
}
