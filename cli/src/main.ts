import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { type CommandLine, commandLine, ownVersion } from './command-line.ts'
import { addApiCommands } from './commands/api.ts'
import { addCatalogCommands } from './commands/catalog.ts'
import { addFulfillmentCommands } from './commands/fulfillment.ts'
import { addInstallationCommands } from './commands/installations.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addMonitoringCommands } from './commands/monitoring.ts'
import { addOAuthCommands } from './commands/oauth.ts'
import { addOrderCommands } from './commands/orders.ts'
import { addPrivacyCommands } from './commands/privacy/privacy.ts'
import { addSecretCommands } from './commands/secrets/secrets.ts'
import { addBackupCommands, addServerCommands } from './commands/server.ts'
import { addSiteCommands } from './commands/site.ts'
import { addStoreCommands } from './commands/stores.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { AlreadyReported, isMisuse, sentenceOf } from './failure.ts'
import { type Io, processIo } from './io.ts'

/** Exit codes. */
const DONE = 0
const FAILED = 1
const MISUSED = 2

/** In the order of the help. Modules are loaded when a command runs: `vitrine openapi` needs no database. */
const GROUPS: readonly ((cli: CommandLine) => void)[] = [
  addServerCommands,
  addCatalogCommands,
  addOrderCommands,
  addInstallationCommands,
  addStoreCommands,
  addSiteCommands,
  addFulfillmentCommands,
  addMonitoringCommands,
  addPrivacyCommands,
  addKeyCommands,
  addOAuthCommands,
  addWebhookCommands,
  addSecretCommands,
  addBackupCommands,
  addApiCommands,
]

/**
 * Runs a command.
 *
 * @returns the exit code: 0: done · 1: failed · 2: usage error
 */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  const { json, words } = withoutJson(args)
  const cli = commandLine({ json, io })
  if (json && (words[0] === '--version' || words[0] === '-V')) {
    cli.out.result({ version: ownVersion() }, [])
    return DONE
  }
  for (const add of GROUPS) add(cli)
  try {
    await cli.program.parseAsync(words, { from: 'user' })
    return DONE
  } catch (error) {
    return report(error, io)
  }
}

/** `--json` may be given anywhere before `--`. */
function withoutJson(args: readonly string[]): { readonly json: boolean; readonly words: readonly string[] } {
  const end = args.indexOf('--')
  const isJson = (word: string, index: number) => word === '--json' && (end === -1 || index < end)
  return { json: args.some(isJson), words: args.filter((word, index) => !isJson(word, index)) }
}

/** Writes an error to standard error: a sentence if the user can fix it, otherwise the error with its stack. */
function report(error: unknown, io: Io): number {
  // Commander has already written its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED
  if (error instanceof AlreadyReported) return FAILED
  // Includes the stacks of its causes.
  io.stderr.write(`vitrine: ${sentenceOf(error) ?? inspect(error)}\n`)
  return isMisuse(error) ? MISUSED : FAILED
}
