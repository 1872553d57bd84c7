import type { Command } from 'commander'
import type { Output } from './output.ts'

type Declare = (parent: Command, nameAndArguments: string, description: string) => Command

const collect = (value: string, before: string[] = []) => [...before, value]

/** What is owed to shoppers, and how it reaches them: `order ship`, `fulfilment` and `licence`. */
export function addFulfilmentCommands(vitrine: Command, command: Declare, out: () => Output): void {
  const carriage = (parent: Command) =>
    parent
      .option('--carrier <name>', 'who carries it')
      .option('--tracking <number>', 'its number with the carrier')
      .option('--tracking-url <url>', 'where a shopper can follow it')

  const order = vitrine.commands.find((each) => each.name() === 'order') ?? vitrine.command('order')
  carriage(command(order, 'ship <order>', 'hand what is left of an order to a carrier, or a part of it'))
    .option('--line <line=units>', 'so many units of a line; repeatable; everything that is left by default', collect)
    .option('--store <slug>', 'whose parcel it is, where several stores ship')
    .option('--reference <name>', 'your name for the parcel: the same one again ships nothing; its number by default')
    .action(async (id, options) => (await import('./commands/fulfilment.ts')).shipCommand(id, options, out()))

  const fulfilment = vitrine.command('fulfilment').description('what is owed to shoppers, and parcels under way')
  command(fulfilment, 'list', 'list what is owed, the oldest first')
    .option('--status <status>', 'pending, dispatched, unknown, failed, confirmed, reconciled, stopped', 'pending')
    .option('--limit <number>', 'how many', '50')
    .action(async (options) => (await import('./commands/fulfilment.ts')).listFulfilmentsCommand(options, out()))
  command(fulfilment, 'deliver <id>', 'a parcel is in the right hands').action(async (id) =>
    (await import('./commands/fulfilment.ts')).deliverCommand(id, out()),
  )
  command(fulfilment, 'fail <id>', 'a parcel came back, or is gone; it can be sent again')
    .requiredOption('--reason <text>', 'what happened')
    .action(async (id, options) => (await import('./commands/fulfilment.ts')).failCommand(id, options.reason, out()))
  command(fulfilment, 'lose <id>', 'nobody can say where a parcel is')
    .requiredOption('--reason <text>', 'what is known')
    .action(async (id, options) => (await import('./commands/fulfilment.ts')).loseCommand(id, options.reason, out()))
  carriage(command(fulfilment, 'resend <id>', 'send a parcel that failed once more')).action(async (id, options) =>
    (await import('./commands/fulfilment.ts')).resendCommand(id, options, out()),
  )
  carriage(command(fulfilment, 'correct <id>', 'write down another carrier or number')).action(async (id, options) =>
    (await import('./commands/fulfilment.ts')).correctCommand(id, options, out()),
  )

  const licence = vitrine.command('licence').description('licence keys, each given once')
  command(licence, 'import <file>', 'put the keys of a file into the pool of a SKU, one from each line')
    .requiredOption('--sku <id>', 'what the keys are for; from now on it is delivered by mail')
    .option('--environment <environment>', 'test or live', 'test')
    .action(async (file, options) =>
      (await import('./commands/licence.ts')).importLicencesCommand(file, options, out()),
    )
  command(licence, 'list', 'list the pools, and who waits for keys').action(async () =>
    (await import('./commands/licence.ts')).listLicencesCommand(out()),
  )
}
