import { type Config, readConfig } from '@vitrine/server'
import { checkDatabase } from '../doctor/database.ts'
import { type Finding, well, wrong } from '../doctor/finding.ts'
import { checkDisk, checkFiles, checkNode, checkPorts, checkPublicUrl } from '../doctor/machine.ts'
import { checkMail } from '../doctor/mail.ts'
import { checkQueues } from '../doctor/queues.ts'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

/** `vitrine doctor`: looks at everything that this service stands on, says what is wrong with it and what to do. */
export async function doctorCommand(output: Output): Promise<void> {
  const findings: Finding[] = [checkNode()]
  const config = readable()
  if (config instanceof Error) {
    findings.push(wrong('configuration', config.message, 'Set it as docs/configuration.md says.'))
  } else {
    findings.push(well('configuration', 'can be read'), checkPublicUrl(config))
    for (const [check, run] of checksOf(config, output)) findings.push(...(await attempted(check, run)))
  }
  const failed = findings.some((finding) => finding.status === 'failed')
  output.result({ healthy: !failed, findings }, findings.flatMap(linesOf))
  if (failed) process.exitCode = 1
}

function readable(): Config | Error {
  try {
    return readConfig(process.env)
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
    [
      'database',
      () => inHouse(output, async (house) => [...(await checkDatabase(house)), ...(await checkQueues(house))]),
    ],
  ]
}

/** What it throws is a finding, not the end. */
async function attempted(check: string, run: () => Promise<Finding | readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return [await run()].flat()
  } catch (error) {
    return [wrong(check, (error as Error).message, 'The runbooks in docs/runbooks say what to do.')]
  }
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }
const INDENT = ' '.repeat(25)

function linesOf({ check, status, told, remedy }: Finding): readonly string[] {
  const line = `${MARKS[status]}  ${check.padEnd(14)}  ${told}`
  return remedy === undefined ? [line] : [line, `${INDENT}→ ${remedy}`]
}
