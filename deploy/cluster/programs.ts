import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths of the cluster's programs. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  readonly haproxy: string
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string
}

/** Debian packages with their programs. Patroni uses the library of `python3-etcd`. */
const PACKAGES = [
  { name: 'etcd-server', file: '/usr/bin/etcd' },
  { name: 'patroni', file: '/usr/bin/patroni' },
  { name: 'python3-etcd', file: '/usr/lib/python3/dist-packages/etcd/__init__.py' },
  { name: 'haproxy', file: '/usr/sbin/haproxy' },
] as const

const POSTGRES = '/usr/lib/postgresql'
const POSTGRES_MIN = 15

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** @throws Error that names the missing packages and how to install them */
export async function findPrograms(): Promise<Programs> {
  const found = await Promise.all(PACKAGES.map(({ file }) => exists(file)))
  const missing: string[] = PACKAGES.filter((_, at) => !found[at]).map(({ name }) => name)
  const versions = (await readdir(POSTGRES).catch(() => [])).map(Number).filter((version) => version >= POSTGRES_MIN)
  const postgres = join(POSTGRES, String(Math.max(...versions)), 'bin')
  if (versions.length === 0 || !(await exists(join(postgres, 'postgres')))) missing.push('postgresql')
  if (missing.length > 0) {
    const install = `sudo apt-get install --no-install-recommends ${missing.join(' ')}`
    const disable = 'sudo systemctl disable --now etcd patroni haproxy postgresql'
    throw new Error(
      `Missing Debian packages: ${missing.join(', ')}.\n\n  ${install}\n\nTheir services are not used here: ${disable}`,
    )
  }
  return { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy', postgres }
}
