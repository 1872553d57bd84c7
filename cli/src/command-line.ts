import { readFileSync } from 'node:fs'
import { Command, type Option } from 'commander'
import { UsageError } from './failure.ts'
import type { Io } from './io.ts'
import type { OperatorClient } from './operator-client.ts'
import { type Output, output } from './output.ts'

/** The builder that groups of commands are declared with. */
export interface CommandLine {
  readonly program: Command
  /** Declares a group of commands. */
  group(name: string, description: string, parent?: Command): Command
  /** Declares a command. */
  command(parent: Command, nameAndArguments: string, description: string): Command
  readonly out: Output
  /** Runs work with a client of the operator door. */
  operator<Result>(work: (operator: OperatorClient) => Promise<Result>): Promise<Result>
}

export function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

/** Options whose empty value has a meaning. */
const MAY_BE_EMPTY = ['--require-grant']

/** An empty value is an unset variable of the shell. Taken for an option that is absent, it would widen the command. */
function refuseEmptyValues(command: Command): void {
  const isEmpty = (value: unknown) =>
    value === '' || (Array.isArray(value) && (value.length === 0 || value.includes('')))
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.args[index]))
  if (argument) throw new UsageError(`<${argument.name()}> must not be empty.`)
  for (const { long, mandatory, attributeName } of command.options.map(named)) {
    const isGiven = command.getOptionValueSource(attributeName) === 'cli'
    if (!isGiven || MAY_BE_EMPTY.includes(long) || !isEmpty(command.getOptionValue(attributeName))) continue
    throw new UsageError(`${long} must not be empty${mandatory ? '' : ': give a value, or leave it out'}.`)
  }
}

const named = (option: Option) => ({
  long: option.long ?? option.flags,
  mandatory: option.mandatory,
  attributeName: option.attributeName(),
})

export function commandLine({ json, io }: { readonly json: boolean; readonly io: Io }): CommandLine {
  const out = output(json, io)
  const asJson = (command: Command) => command.option('--json', 'print the result as JSON, and nothing else')
  const program = asJson(new Command('vitrine'))
    .description('A self-hosted commerce storefront service.')
    .version(ownVersion())
    // An option after a command belongs to that command: `legal publish` has a --version of its own.
    .enablePositionalOptions()
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .configureHelp({ sortSubcommands: false })
    .hook('preAction', (_program, command) => refuseEmptyValues(command))
  return {
    program,
    out,
    group: (name, description, parent = program) => parent.command(name).description(description),
    command: (parent, nameAndArguments, description) =>
      asJson(parent.command(nameAndArguments).description(description)),
    operator: async (work) => (await import('./operator-door.ts')).atOperatorDoor(out, work),
  }
}
