import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { parse, parseAllDocuments } from 'yaml'
import { SHARED_SETTINGS } from '../../deploy/cluster/machine.ts'
import { temporaryFolder } from '../support/processes/command.ts'

/*
 * The manifests of deploy/, which no test runs: they are consistent with each other, with Vitrine's settings, and with the settings that
 * `npm run test:cluster` runs. Kubernetes objects fit the types of its published API; no current schema of CloudNativePG and Compose
 * is in a registry, so only the parts named here are checked.
 */

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/** Any part of a manifest. */
// biome-ignore lint/suspicious/noExplicitAny: a missing part fails the test that reads it
type Part = any

const settings = new Set([...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name))
/** Settings that several machines require. */
const NEEDED = ['DATABASE_URL', 'DATABASE_READ_URL', 'PUBLIC_URL', 'PAGES_URL', 'TRUSTED_PROXIES', 'SEALING_KEY']

function assertSettings(names: readonly string[], alsoAllowed: readonly string[] = []): void {
  assert.deepEqual(
    names.filter((name) => !settings.has(name) && !alsoAllowed.includes(name)),
    [],
  )
  assert.deepEqual(
    NEEDED.filter((name) => !names.includes(name)),
    [],
  )
}

const { postgresql: shared, ...ofPatroni } = SHARED_SETTINGS
const { shared_buffers: _size, ...parameters } = shared.parameters

describe('the manifest of Compose', () => {
  const text = read('deploy/compose/compose.yaml')
  const compose: Part = parse(text, { merge: true })
  const services = Object.entries<Part>(compose.services)

  test('has three members of etcd, three PostgreSQL, and two nodes', () => {
    const count = (name: string) => services.filter(([each]) => each.startsWith(name)).length
    assert.deepEqual([count('etcd'), count('pg'), count('node'), count('haproxy')], [3, 3, 2, 1])
  })

  test('refers only to services, volumes, networks and configs that it defines', () => {
    for (const [name, service] of services) {
      assert(service.image || service.build, name)
      for (const other of service.depends_on ?? []) assert(compose.services[other], `${name}: ${other}`)
      for (const network of service.networks) assert(network in compose.networks, `${name}: ${network}`)
      for (const { source } of service.configs ?? []) assert(compose.configs[source], `${name}: ${source}`)
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        assert(/^[./]/.test(source) || source in compose.volumes, `${name}: ${volume}`)
      }
    }
  })

  test('gives nodes existing settings only, and every variable is in example.env', () => {
    for (const node of ['node1', 'node2']) assertSettings(Object.keys(compose.services[node].environment))
    const known = new Set([...read('deploy/compose/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name))
    const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
    assert.deepEqual(new Set(used), known)
  })

  test('gives the nodes one place for uploaded pictures', () => {
    for (const node of ['node1', 'node2']) {
      const { volumes, environment } = compose.services[node]
      assert(volumes.includes(`media:${environment.DATA_DIR}/media`), node)
    }
  })

  test('has the settings of Patroni that are tested', () => {
    const { dcs } = parse(compose.configs.patroni.content).bootstrap
    assert.deepEqual(dcs, { ...ofPatroni, postgresql: shared })
  })

  test('runs Patroni as process 1, which reaps a killed PostgreSQL', () => {
    const databases = services.filter(([name]) => name.startsWith('pg'))
    assert.equal(databases.length, 3)
    for (const [, { build }] of databases) {
      assert.match(build.dockerfile_inline, /^ENTRYPOINT \["patroni", /m)
    }
  })

  test('publishes only the public and the pages door, on loopback', () => {
    const open = services.flatMap(([, { ports = [] }]) => ports as string[])
    assert.deepEqual(open, ['127.0.0.1:8080:8080', '127.0.0.1:8081:8081'])
    assert.equal(compose.networks.database.internal, true)
  })
})

describe('the manifest of one machine', () => {
  const text = read('deploy/production/compose.yaml')
  const { services }: Part = parse(text, { merge: true })
  const namesIn = (file: string) =>
    new Set([...read(`deploy/production/${file}`).matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name))
  const containers = Object.entries<Part>(services).filter(([, { image }]) => image.startsWith('vitrine:'))

  test('has every variable in example.env', () => {
    const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
    assert.deepEqual(new Set(used), namesIn('example.env'))
  })

  test('gives each of its containers the settings of the units, and those of a file that has no password of the owner', () => {
    assert.deepEqual(containers.map(([name]) => name).sort(), ['backup', 'drill', 'migrate', 'vitrine-a', 'vitrine-b'])
    for (const [name, { environment, env_file: files }] of containers) {
      const unit = [...namesIn('vitrine.env')].filter((each) => each !== 'BACKUP_IDENTITY_FILE' || name === 'drill')
      assert.deepEqual(
        unit.filter((each) => !(each in environment)),
        [],
        name,
      )
      assert.deepEqual(files, [{ path: 'settings.env', required: false }], name)
      assert.equal('DATABASE_OWNER_URL' in environment, name === 'migrate', name)
      for (const each of Object.keys(environment)) assert(settings.has(each), `${name}: ${each}`)
    }
  })

  test('encrypts backups for the documented recipients, and reads the identity in the drill', () => {
    const ofBackups = [...settings].filter((name) => name?.startsWith('BACKUP_'))
    const image = [...read('deploy/production/Dockerfile').matchAll(/^ENV ([A-Z_]+)=/gm)].map(([, name]) => name)
    const given = [...Object.keys(services.backup.environment), ...Object.keys(services.drill.environment), ...image]
    assert.deepEqual(
      ofBackups.filter((name) => !given.includes(name)),
      [],
    )
    const { BACKUP_IDENTITY_FILE: file } = services.drill.environment
    const [inside] = /(?<=:\+)[^}]+/.exec(file) ?? assert.fail(file)
    assert(services.drill.volumes.some((volume: string) => volume.endsWith(`:${inside}:ro`)))
  })
})

/** The module of `kubernetes-types` for each API version. */
const TYPES: Readonly<Record<string, string>> = { v1: 'core/v1', 'apps/v1': 'apps/v1', 'policy/v1': 'policy/v1' }

/** A document as TypeScript source. */
function typed({ apiVersion, kind, ...rest }: Part, at: number): string {
  const module = join(repository, 'node_modules/kubernetes-types', `${TYPES[apiVersion]}.d.ts`)
  const document = JSON.stringify({ apiVersion, kind, ...rest })
  return `export const document${at} = ${document} satisfies import(${JSON.stringify(module)}).${kind}`
}

/** The compiler's errors in a file; empty if the types fit. */
function faultsOfTypes(file: string): Promise<string> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', '--ignoreConfig']
  const compiler = join(repository, 'node_modules/.bin/tsc')
  return new Promise((resolve) => {
    execFile(compiler, [...options, file], (error, stdout) => resolve(error ? stdout || error.message : ''))
  })
}

describe('the manifest of Kubernetes', () => {
  const documents: Part[] = parseAllDocuments(read('deploy/kubernetes/vitrine.yaml')).map((each) => each.toJS())
  const ofKind = (kind: string): Part =>
    documents.find((each) => each.kind === kind) ?? assert.fail(`there is no ${kind}`)
  const [cluster, deployment] = [ofKind('Cluster'), ofKind('Deployment')]
  const [container] = deployment.spec.template.spec.containers

  test('has documents with a version, a kind and a unique name', () => {
    for (const { apiVersion, metadata } of documents) assert(apiVersion && metadata.name)
    const names = documents.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    assert.equal(new Set(names).size, names.length)
  })

  test('fits the published types of Kubernetes: no unknown field, no value of another type', async () => {
    const folder = await temporaryFolder()
    const faultsOf = async (each: readonly Part[]) => {
      const file = join(folder, 'manifests.ts')
      await writeFile(file, each.map(typed).join('\n'))
      return faultsOfTypes(file)
    }
    const own = documents.filter(({ apiVersion }) => apiVersion in TYPES)
    assert.deepEqual(own.map(({ kind }) => kind).sort(), ['Deployment', 'PodDisruptionBudget', 'Service', 'Service'])
    assert.equal(await faultsOf(own), '')
    // Proof that the compiler would report a wrong type.
    assert.match(await faultsOf([{ ...deployment, spec: { ...deployment.spec, replicas: '2' } }]), /'string'.*'number'/)
    assert.match(
      await faultsOf([{ ...deployment, spec: { ...deployment.spec, replica: 2 } }]),
      /replica\b.* does not exist/,
    )
  })

  test('selects the pods of the deployment', () => {
    const { labels } = deployment.spec.template.metadata
    assert.deepEqual(deployment.spec.selector.matchLabels, labels)
    assert.deepEqual(ofKind('PodDisruptionBudget').spec.selector.matchLabels, labels)
    const ports = container.ports.map((port: Part) => port.name)
    for (const { spec } of documents.filter(({ kind }) => kind === 'Service')) {
      assert.deepEqual(spec.selector, labels)
      for (const { targetPort } of spec.ports) assert(ports.includes(targetPort))
    }
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      assert.match(container[probe].httpGet.path, /^\/(livez|readyz)$/)
      assert.equal(container[probe].httpGet.port, 'operator')
    }
  })

  test('gives the migrations of a start an hour, as the unit of systemd does', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe
    assert.equal(periodSeconds * failureThreshold, 3600)
    assert.match(read('deploy/production/systemd/vitrine-migrate@.service'), /^TimeoutStartSec=1h$/m)
  })

  test('gives the nodes existing settings only, with writes to the primary and reads to the standbys', () => {
    const env = new Map<string, Part>(container.env.map((each: Part) => [each.name, each]))
    assertSettings([...env.keys()], ['DATABASE_PASSWORD'])
    const ofPictures = ['MEDIA_ENDPOINT', 'MEDIA_BUCKET', 'MEDIA_KEY_ID', 'MEDIA_SECRET']
    assert.deepEqual(
      ofPictures.filter((name) => !env.has(name)),
      [],
      'the disk of a pod is its own',
    )
    const { database, owner } = cluster.spec.bootstrap.initdb
    const urlOf = (service: string) =>
      `postgres://${owner}:$(DATABASE_PASSWORD)@${cluster.metadata.name}-${service}:5432/${database}`
    assert.equal(env.get('DATABASE_URL').value, urlOf('rw'))
    assert.equal(env.get('DATABASE_READ_URL').value, urlOf('ro'))
    assert.equal(env.get('DATABASE_PASSWORD').valueFrom.secretKeyRef.name, `${cluster.metadata.name}-app`)
    const names = [...env.keys()]
    assert(names.indexOf('DATABASE_PASSWORD') < names.indexOf('DATABASE_URL'), 'only earlier variables are replaced')
  })

  test('has three PostgreSQL on three machines, a standby with each COMMIT, and the tested parameters', () => {
    const { instances, postgresql, affinity } = cluster.spec
    assert.equal(instances, 3)
    assert.equal(affinity.podAntiAffinityType, 'required')
    assert.deepEqual(postgresql.synchronous, {
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    })
    const { shared_buffers: _own, ...own } = postgresql.parameters
    // CloudNativePG accepts only strings.
    assert.deepEqual(own, Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])))
  })
})

test('the proxies take bodies as large as the API does', () => {
  const { bodyBytesMax } = limits.requests
  const sizes = [/max_size (\d+)MiB$/m, /client_max_body_size (\d+)m;$/m].map((form, index) => {
    const [, size] = form.exec(read(['deploy/production/Caddyfile', 'deploy/production/nginx.conf'][index]!)) ?? []
    return Number(size) * 1024 * 1024
  })
  assert.deepEqual(sizes, [bodyBytesMax, bodyBytesMax])
})
