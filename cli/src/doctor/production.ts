import { stat, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, openDatabase, problemsOfProof, readBackups, statement } from '@vitrine/server'
import { atOperatorDoor } from '../operator-door.ts'
import type { Output } from '../output.ts'
import { counted, doubtful, type Finding, well, wrong } from './finding.ts'

/*
 * The checks of `vitrine doctor --production`: one for each line of the checklist in docs/guides/production.md, including the readiness
 * proofs that live keys require.
 */

const ANSWER_MS_MAX = 10_000
const HSTS_SECONDS_MIN = 15_552_000
const DAY_MS = 86_400_000
const BACKUP_MS_MAX = 26 * 3_600_000
const CERTIFICATE_MS_MIN = 10 * DAY_MS
const FREE_SHARE_MIN = 0.15

export function productionChecks(
  config: Config,
  output: Output,
  { records }: { readonly records: boolean },
): readonly (readonly [name: string, check: () => Promise<Finding | readonly Finding[]>])[] {
  return [
    ['user', async () => checkUser()],
    ['node release', async () => checkNodeRelease()],
    ['permissions', () => checkPermissions(config)],
    ['public door', () => checkThrough('public door', `${config.publicUrl}/api/v1/runtime-config`)],
    ['pages door', () => checkThrough('pages door', `${config.pagesUrl}/.well-known/security.txt`)],
    ['operator door', async () => checkOperatorDoor(config)],
    ['proxy chain', () => checkChain(config, output)],
    ['operator chain', () => checkOperatorChain(config, output)],
    ['stop delay', async () => checkStopDelay(config)],
    ['mail sender', async () => checkSender(config)],
    ['key outside', async () => checkKeys(config)],
    ['own database', () => checkOwnDatabase(config)],
    ['backups', () => checkBackups(config)],
    ['free space', () => checkSpace(config)],
    ['proofs', () => checkProofs(config, output, records)],
  ]
}

function checkUser(): Finding {
  const remedy = 'Run it as a user of its own: deploy/production/systemd.'
  if (process.getuid?.() === 0) return wrong('user', 'this command runs as root', remedy)
  return well('user', `not root, but ${process.getuid?.() ?? 'an ordinary user'}`)
}

/** Even releases have long-term support. */
function checkNodeRelease(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major % 2 === 0) return well('node release', `Node ${process.versions.node} has long-term support`)
  return doubtful(
    'node release',
    `Node ${process.versions.node} is supported for a few months only`,
    'Install an even release of Node.',
  )
}

async function checkPermissions({ dataDirectory, backup }: Config): Promise<Finding> {
  const open: string[] = []
  for (const path of [dataDirectory, backup.directory]) {
    if (path === null) continue
    const found = await stat(path).catch(() => null)
    if (found && (found.mode & 0o077) !== 0) open.push(resolve(path))
  }
  if (open.length === 0) return well('permissions', 'data and backups are closed to other users')
  return wrong('permissions', `other users can enter ${open.join(', ')}`, `chmod 700 ${open.join(' ')}`)
}

/** Checks a door as a shopper reaches it: by name, through the proxy, with a valid certificate. */
async function checkThrough(check: string, url: string): Promise<Finding> {
  const remedy = 'Put a proxy with TLS in front: deploy/production/Caddyfile, nginx.conf.'
  if (!url.startsWith('https:')) return wrong(check, `${url} is not https`, remedy)
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  const [answer, expiresAt] = await Promise.all([fetch(url, { signal }), certificateEnd(new URL(url))])
  if (!answer.ok && answer.status !== 404)
    return wrong(check, `${url} answers ${answer.status}`, 'Check whether the nodes are ready.')
  const seconds = Number(/max-age=(\d+)/.exec(answer.headers.get('strict-transport-security') ?? '')?.[1] ?? 0)
  if (seconds < HSTS_SECONDS_MIN)
    return wrong(
      check,
      `${url} sends no Strict-Transport-Security of half a year or more`,
      'Add it in the proxy: max-age=31536000.',
    )
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS)
  const detail = `answers over TLS with HSTS; the certificate is valid for ${counted(days, 'day')}`
  // A certificate that lasts only hours is renewed in time by its issuer.
  if (expiresAt - Date.now() < CERTIFICATE_MS_MIN && days >= 1)
    return doubtful(check, detail, 'Check why it is not renewed.')
  return well(check, detail)
}

async function certificateEnd({ hostname, port }: URL): Promise<number> {
  const { connect } = await import('node:tls')
  return new Promise((done, failed) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname }, () => {
      done(Date.parse(socket.getPeerCertificate().valid_to))
      socket.end()
    })
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error(`${hostname} does not finish the TLS handshake`)))
    socket.once('error', failed)
  })
}

function checkOperatorDoor({ operatorHost, operatorUrl, metricsToken }: Config): Finding {
  if (/^(127\.|::1$|localhost$)/.test(operatorHost))
    return well('operator door', `only this machine can reach it, on ${operatorHost}`)
  if (metricsToken === null)
    return wrong('operator door', `it is open on ${operatorHost}, without METRICS_TOKEN`, 'Set METRICS_TOKEN.')
  const isPrivate = operatorUrl.startsWith('https:') || /^http:\/\/(127\.|localhost|\[::1\])/.test(operatorUrl)
  if (isPrivate)
    return well('operator door', `on ${operatorHost}, reached as ${operatorUrl}; keep it in a private network`)
  return wrong('operator door', `${operatorUrl} sends passwords unencrypted`, 'Use https, or loopback through SSH.')
}

/** The checks above sent requests through the proxy, so at least those are counted. */
async function checkChain(_config: Config, output: Output): Promise<Finding> {
  const { trusted, asConfigured, tooFew, tooMany } = (
    await atOperatorDoor(output, (operator) => operator.call('getSystem'))
  ).proxies
  const all = asConfigured + tooFew + tooMany
  const detail = `TRUSTED_PROXIES=${trusted}: ${asConfigured} of ${all} requests match, ${tooFew} came through fewer proxies, ${tooMany} list more`
  if (all === 0)
    return doubtful(
      'proxy chain',
      'no request was counted yet',
      'Run this again once requests have come through the proxy.',
    )
  if (tooFew * 2 > all)
    return wrong('proxy chain', detail, 'Lower TRUSTED_PROXIES, or make the proxy send X-Forwarded-For.')
  if (tooMany * 2 > all) return wrong('proxy chain', detail, 'Raise TRUSTED_PROXIES to the number of proxies.')
  return well('proxy chain', detail)
}

/** Its own request shows what the proxy sends, if it reaches the process that is asked for its count. */
async function checkOperatorChain({ operatorUrl }: Config, output: Output): Promise<readonly Finding[]> {
  if (!operatorUrl.startsWith('https:')) return []
  await fetch(`${operatorUrl}/livez`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  const { unknownOperators } = (await atOperatorDoor(output, (operator) => operator.call('getSystem'))).proxies
  if (unknownOperators === 0) return [well('operator chain', 'the address of each operator is known')]
  const detail = `${unknownOperators} requests came through a proxy that is not in OPERATOR_PROXIES or does not name the client`
  return [wrong('operator chain', detail, 'Set OPERATOR_PROXIES to its address, and make it send X-Forwarded-For.')]
}

function checkStopDelay({ stopDelayMs }: Config): Finding {
  if (stopDelayMs > 0)
    return well(
      'stop delay',
      `a stopping node serves for ${stopDelayMs / 1000} s more, so that the proxy can remove it`,
    )
  return doubtful(
    'stop delay',
    'STOP_DELAY_MS is 0: an upgrade can fail requests',
    'Set it above the interval of the health checks of the proxy.',
  )
}

function checkSender({ smtpUrl, mailFrom }: Config): Finding {
  if (smtpUrl === null)
    return wrong('mail sender', 'SMTP_URL is not set: shoppers get no email', 'Set SMTP_URL and MAIL_FROM.')
  const [, domain = ''] = /@([^>\s]+)/.exec(mailFrom) ?? []
  if (/\.(example|test|localhost|invalid)$|^\[|^localhost$/.test(domain))
    return doubtful(
      'mail sender',
      `${mailFrom} is not at a domain that receives mail`,
      'Set MAIL_FROM to an address of your domain, with SPF and DKIM.',
    )
  return well('mail sender', mailFrom)
}

/** A key file next to the embedded database is lost or stolen together with it. */
function checkKeys({ sealing, databaseUrl }: Config): Finding {
  if (sealing.keys !== null) return well('key outside', 'the key of sealed secrets comes from the environment')
  if (sealing.command !== null) return well('key outside', 'the key of sealed secrets comes from a command')
  if (sealing.file !== null) return well('key outside', 'the key of sealed secrets comes from SEALING_KEY_FILE')
  const detail = 'the key of sealed secrets is a file of the data directory'
  const remedy = 'Set SEALING_KEY, SEALING_KEY_FILE or SEALING_KEY_COMMAND, and keep a copy apart from the backups.'
  if (databaseUrl !== null) return doubtful('key outside', detail, remedy)
  return wrong('key outside', `${detail}, where the database is too`, remedy)
}

interface Rights {
  readonly is_superuser: boolean
  readonly creates: boolean
  readonly owns: boolean
  readonly checksums: string
  readonly full_page_writes: string
  readonly archive_mode: string
}
const look = statement<Rights>(
  'doctor.production',
  `select rolsuper as is_superuser, rolcreaterole or rolcreatedb as creates,
     pg_has_role((select relowner from pg_class where oid = to_regclass('audit_log')), 'usage') as owns, current_setting('data_checksums') as checksums,
     current_setting('full_page_writes') as full_page_writes, current_setting('archive_mode') as archive_mode
   from pg_roles where rolname = current_user`,
)

function roleFinding({ is_superuser, creates, owns }: Rights): Finding {
  const tooMuch = is_superuser
    ? 'is a superuser'
    : creates
      ? 'can create roles or databases'
      : owns
        ? 'owns the tables, and so can change the audit log'
        : null
  if (tooMuch === null) return well('database role', 'reads and writes rows, and cannot change the audit log')
  return wrong(
    'database role',
    `the role of DATABASE_URL ${tooMuch}`,
    'Use a role that owns nothing, and DATABASE_OWNER_URL for migrations: docs/guides/production.md.',
  )
}

async function checkOwnDatabase({ databaseUrl }: Config): Promise<readonly Finding[]> {
  if (databaseUrl === null)
    return [
      doubtful(
        'own database',
        'the embedded PostgreSQL has no standby and no point-in-time recovery',
        'Set DATABASE_URL.',
      ),
    ]
  const database = openDatabase({ url: databaseUrl, readersMax: 1, writersMax: 1 })
  try {
    const row = await database.reader.row(look)
    if (!row) throw new Error('The role of this connection is not in pg_roles.')
    return [
      roleFinding(row),
      row.full_page_writes === 'on'
        ? well('page writes', 'full_page_writes is on')
        : wrong('page writes', 'full_page_writes is off: a power failure can tear pages', 'Turn it on.'),
      row.checksums === 'on'
        ? well('checksums', 'damaged pages are noticed')
        : doubtful('checksums', 'damaged pages are not noticed', 'pg_checksums --enable while PostgreSQL is stopped.'),
      row.archive_mode === 'off'
        ? doubtful(
            'archive',
            'archive_mode is off: no point-in-time recovery',
            'See docs/guides/production.md, or your provider.',
          )
        : well('archive', `archive_mode is ${row.archive_mode}`),
    ]
  } finally {
    await database.close()
  }
}

async function checkBackups({ backup: { directory } }: Config): Promise<Finding> {
  if (directory === null)
    return doubtful(
      'backups',
      'BACKUP_DIR is not set',
      'Set it and run vitrine backups run daily, or record the proof for your own backups.',
    )
  const [newest] = (await readBackups(directory, new Date())).files
  if (!newest) return wrong('backups', `there is none in ${directory}`, 'vitrine backups run')
  const hours = Math.floor((Date.now() - newest.at.getTime()) / 3_600_000)
  const detail = `${newest.name}, ${counted(hours, 'hour')} old, ${Math.ceil(newest.bytes / 1024)} KiB`
  if (Date.now() - newest.at.getTime() <= BACKUP_MS_MAX) return well('backups', detail)
  return wrong('backups', detail, 'Check why the timer did not run: systemctl status vitrine-backup.')
}

async function checkSpace({ dataDirectory, backup }: Config): Promise<Finding> {
  const full: string[] = []
  for (const path of [dataDirectory, backup.directory]) {
    const found = path === null ? null : await statfs(path).catch(() => null)
    if (found && found.bavail / found.blocks < FREE_SHARE_MIN)
      full.push(`${path}: ${Math.floor((100 * found.bavail) / found.blocks)} %`)
  }
  if (full.length === 0) return well('free space', 'more than 15 % is free')
  return doubtful('free space', full.join(', '), 'Free some space, or use a larger disk.')
}

/** The readiness proofs that live keys require. Those with evidence are recorded on request. */
async function checkProofs(config: Config, output: Output, records: boolean): Promise<readonly Finding[]> {
  return atOperatorDoor(output, async (operator) => {
    const { items } = await operator.call('listReadinessProofs')
    const findings: Finding[] = []
    for (const { code, remedy, recorded } of items) {
      const problems = await problemsOfProof(config, code, new Date())
      if (problems.length > 0) findings.push(wrong(code, problems.join(' '), remedy))
      else if (recorded) findings.push(well(code, 'recorded'))
      else if (records && (await hasEvidence(config, code))) {
        await operator.call('recordReadinessProof', {
          body: { code, note: `Checked by vitrine doctor --production --record.` },
        })
        findings.push(well(code, 'checked and recorded'))
      } else
        findings.push(
          wrong(code, 'not recorded: live keys are refused', `${remedy} Then: vitrine readiness record ${code}`),
        )
    }
    return findings
  })
}

/** Whether this command has seen a proof itself, or has a record of it. */
async function hasEvidence({ publicUrl, pagesUrl, backup }: Config, code: string): Promise<boolean> {
  if (code === 'public_address_https') {
    const seen = await Promise.all([
      checkThrough(code, `${publicUrl}/api/v1/runtime-config`),
      checkThrough(code, `${pagesUrl}/.well-known/security.txt`),
    ])
    return seen.every(({ status }) => status !== 'failed')
  }
  if (code === 'backup_restored')
    return backup.directory !== null && (await readBackups(backup.directory, new Date())).drill !== null
  return false
}
