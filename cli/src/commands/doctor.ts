import { type Config, embeddedExists, readConfig } from '@vitrine/server'
import { checkContents, checkMigrations, checkServer } from '../doctor/database.ts'
import { doubtful, type Finding, well, wrong } from '../doctor/finding.ts'
import { checkIdentityProvider } from '../doctor/identity-provider.ts'
import { checkDisk, checkFiles, checkNode, checkPorts, checkProxies, checkPublicUrl } from '../doctor/machine.ts'
import { checkMail } from '../doctor/mail.ts'
import { checkMediaStore } from '../doctor/media.ts'
import { checkQueues } from '../doctor/queues.ts'
import { checkStripe } from '../doctor/stripe.ts'
import { checkTaxService } from '../doctor/tax-service.ts'
import { checkVies } from '../doctor/vies.ts'
import { AlreadyReported, messagesOf, sentenceOf, UsageError } from '../failure.ts'
import type { Io } from '../io.ts'
import { withDatabaseAsIs } from '../local-database.ts'
import type { Output } from '../output.ts'

interface DoctorOptions {
  /** Also checks each line of the checklist in docs/guides/production.md. */
  readonly production?: boolean
  /** Records the proofs of readiness that the checks have seen. */
  readonly record?: boolean
}

/**
 * `vitrine doctor`: checks everything that this service depends on, and reports problems with remedies. It changes nothing
 * without `--record`, but for a file in the object store that it removes again.
 */
export async function doctorCommand(options: DoctorOptions, output: Output): Promise<void> {
  if (options.record && !options.production) throw new UsageError('--record needs --production.')
  const findings: Finding[] = [checkNode()]
  const config = readable(output.io)
  if (config instanceof Error) {
    const problems = config.message.split('\n')
    findings.push(...problems.map((problem) => wrong('configuration', problem, 'See docs/configuration.md.')))
  } else {
    findings.push(well('configuration', 'can be read'), checkPublicUrl(config), ...checkProxies(config))
    const more = options.production
      ? (await import('../doctor/production.ts')).productionChecks(config, output, { records: options.record === true })
      : []
    for (const [check, run] of [...checksOf(config, output), ...more]) findings.push(...(await attempted(check, run)))
  }
  const failed = findings.some((finding) => finding.status === 'failed')
  const shown = findings.map(({ detail, ...finding }) => ({ ...finding, told: detail }))
  output.result({ healthy: !failed, findings: shown }, findings.flatMap(linesOf))
  if (failed) throw new AlreadyReported()
}

function readable({ env }: Io): Config | Error {
  try {
    return readConfig(env)
  } catch (error) {
    return error as Error
  }
}

type Check = () => Promise<Finding | readonly Finding[]>

function checksOf(config: Config, output: Output): readonly (readonly [name: string, check: Check])[] {
  return [
    ['ports', () => checkPorts(config)],
    ['disk', () => checkDisk(config)],
    ['key files', () => checkFiles(config)],
    ['mail', () => checkMail(config)],
    ['stripe', () => checkStripe(config)],
    ['tax service', () => checkTaxService(config)],
    ['pictures', () => checkMediaStore(config)],
    ['vat numbers', () => checkVies(config)],
    ['sign-in', () => checkIdentityProvider(config)],
    ['database', () => checkDatabase(config, output)],
  ]
}

async function checkDatabase({ databaseUrl, dataDirectory }: Config, output: Output): Promise<readonly Finding[]> {
  if (databaseUrl === null && !embeddedExists(dataDirectory)) {
    const detail = `there is none in ${dataDirectory} yet`
    return [doubtful('database', detail, 'npm start creates one, or set DATABASE_URL to your own.')]
  }
  return withDatabaseAsIs(output, async (deps) => {
    const findings = [...(await checkServer(deps)), await checkMigrations(deps)]
    // The schema of another version is unknown.
    if (findings.at(-1)?.status !== 'ok') return findings
    return [...findings, ...(await checkContents(deps)), ...(await checkQueues(deps))]
  })
}

/** A check that throws is reported as a finding. */
async function attempted(check: string, run: () => Promise<Finding | readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return [await run()].flat()
  } catch (error) {
    return [wrong(check, sentenceOf(error) ?? messagesOf(error), 'See docs/runbooks.')]
  }
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }
const INDENT = ' '.repeat(25)

function linesOf({ check, status, detail, remedy }: Finding): readonly string[] {
  const line = `${MARKS[status]}  ${check.padEnd(14)}  ${detail}`
  return remedy === undefined ? [line] : [line, `${INDENT}→ ${remedy}`]
}
