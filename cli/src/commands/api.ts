import { Argument } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { collect } from '../options.ts'

/** Calls of single operations, the OpenAPI documents, and completion. */
export function addApiCommands({ program, command, out }: CommandLine): void {
  command(program, 'openapi', 'print the OpenAPI document of the public API')
    .option('--operator', 'print that of the operator API instead')
    .action(async ({ operator }: { operator?: boolean }) => {
      const { publicUrl, operatorUrl } = (await import('@vitrine/server/config')).readConfig(out.io.env)
      const document = operator
        ? (await import('@vitrine/contract/operator/openapi')).operatorOpenapiDocument({ serverUrl: operatorUrl })
        : (await import('@vitrine/contract/openapi')).openapiDocument({ serverUrl: publicUrl })
      out.io.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    })
  command(program, 'call <operation>', 'call an operation of the public API, as an installation')
    .option('--key <key>', 'API key; VITRINE_KEY by default')
    .option('--key-file <file>', 'file with the private key that it is bound to; VITRINE_KEY_FILE by default')
    .option('--param <name=value>', 'path parameter; repeatable', collect)
    .option('--query <name=value>', 'query parameter; repeatable', collect)
    .option('--body <json>', 'body')
    .option('--idempotency-key <key>', 'idempotency key; a new one by default')
    .option('--url <url>', 'public URL; that of the running server by default')
    .action(async (operation, options) => (await import('./call.ts')).callCommand(operation, options, out))
  const operator = command(program, 'operator <operation>', 'call an operation of the operator API')
    .option('--param <name=value>', 'path parameter; repeatable', collect)
    .option('--query <name=value>', 'query parameter; repeatable', collect)
    .option('--body <json>', 'body')
    .option('--idempotency-key <key>', 'idempotency key of an operation that accepts one; a new one by default')
    .option('--file <file>', 'file to upload')
    .option('--output <file>', 'file for a download; standard output by default')
    .action(async (operation, options) => (await import('./call.ts')).operatorCommand(operation, options, out))
  command(operator, 'reset <email>', 'print a link to choose a new password').action(async (email: string) =>
    (await import('./call.ts')).operatorResetCommand(email, out),
  )
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .description('print the completion script of a shell')
    .action(async (shell) => {
      out.io.stdout.write((await import('./completion.ts')).completionScript(program, shell))
    })
}
