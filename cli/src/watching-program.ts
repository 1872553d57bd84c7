import { Argument, type Command } from 'commander'
import type { Output } from './output.ts'

type Declare = (parent: Command, nameAndArguments: string, description: string) => Command

/** What got stuck, and setting it going again: `payment` and `job`; and what a shell completes. */
export function addWatchingCommands(vitrine: Command, command: Declare, out: () => Output): void {
  const payment = vitrine.command('payment').description('payments that have not come to an end')
  command(payment, 'list', 'list those whose outcome nobody knows, the longest untouched first')
    .option('--environment <environment>', 'test or live', 'live')
    .option('--waiting', 'those that wait for the word of a shopper or an operator instead')
    .action(async (options) => (await import('./commands/payment.ts')).listPaymentsCommand(options, out()))
  command(payment, 'show <id>', 'show what is known of one, with each call to its provider').action(async (id) =>
    (await import('./commands/payment.ts')).showPaymentCommand(id, out()),
  )
  command(payment, 'look <id>', 'ask the provider at once what became of it').action(async (id) =>
    (await import('./commands/payment.ts')).lookAtPaymentCommand(id, out()),
  )

  const job = vitrine.command('job').description('work that was given up')
  command(job, 'list', 'list what was given up, with its last error').action(async () =>
    (await import('./commands/job.ts')).listJobsCommand(out()),
  )
  command(job, 'retry <id>', 'let it run again').action(async (id) =>
    (await import('./commands/job.ts')).retryJobCommand(id, out()),
  )

  vitrine
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .description('print what makes bash, zsh or fish complete these commands')
    .action(async (shell) => {
      process.stdout.write((await import('./commands/completion.ts')).completionScript(vitrine, shell))
    })
}
