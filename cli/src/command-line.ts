import { readFileSync } from 'node:fs'
import { Command } from 'commander'
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
  return {
    program,
    out,
    group: (name, description, parent = program) => parent.command(name).description(description),
    command: (parent, nameAndArguments, description) =>
      asJson(parent.command(nameAndArguments).description(description)),
    operator: async (work) => (await import('./operator-door.ts')).atOperatorDoor(out, work),
  }
}
