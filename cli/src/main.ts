import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { type Asked, askedBy } from './asked.ts'
import { isMisuse, sentenceOf } from './failure.ts'
import { addFulfilmentCommands } from './fulfilment-program.ts'
import { type Output, output } from './output.ts'
import { addSiteCommands } from './site-program.ts'
import { addWatchingCommands } from './watching-program.ts'

/** Exit codes: 0 done · 1 failed · 2 called in a way that cannot be meant. */
const FAILED = 1
const MISUSED = 2

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

/** What they change nobody has decided: the house changes it by itself. */
const NO_DECISIONS = ['start', 'demo load']

const collect = (value: string, before: string[] = []) => [...before, value]

/** Each command is loaded when it is called: `vitrine openapi` needs no database, and `start` no parser of CSV. */
function program(): Command {
  const vitrine = new Command('vitrine')
    .description('A self-hosted commerce storefront service.')
    .version(ownVersion())
    .option('--json', 'print the result as JSON, and nothing else on standard output')
    // Behind a command stands what the command means by it: a document has a --version, too.
    .enablePositionalOptions()
    .showHelpAfterError()
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
  let asked: Asked | null = null
  const out = (): Output => output(vitrine.opts<{ json?: boolean }>().json === true, asked)
  const command = (parent: Command, nameAndArguments: string, description: string) =>
    parent
      .command(nameAndArguments)
      .description(description)
      .option('--json', 'print the result as JSON')
      .hook('preAction', (_parent, called) => {
        if (called.opts<{ json?: boolean }>().json) vitrine.setOptionValue('json', true)
        const said = askedBy(called)
        asked = NO_DECISIONS.includes(said.command) ? null : said
      })

  command(vitrine, 'start', 'open the doors and serve until stopped')
    .option('--demo', 'load the demo data first')
    .option('--empty', 'load nothing into a new database')
    .option('--roles <roles>', 'public, pages, operator, worker; all by default')
    .option('--workers <number>', 'processes that share the public door')
    .action(async (options) => (await import('./commands/start.ts')).startCommand(options, out()))
  command(vitrine, 'simulator', 'run the payment simulator alone, for a service whose roles run apart')
    .option('--port <port>', 'on loopback; 8084 by default')
    .action(async (options) => (await import('./commands/simulator.ts')).simulatorCommand(options, out()))
  command(vitrine, 'migrate', 'bring the database up to this version').action(async () =>
    (await import('./commands/migrate.ts')).migrateCommand(out()),
  )
  command(vitrine, 'doctor', 'look for what is wrong and say it').action(async () =>
    (await import('./commands/doctor.ts')).doctorCommand(out()),
  )

  const demo = vitrine.command('demo').description('the demo marketplace')
  command(demo, 'load', 'load the demo data once').action(async () =>
    (await import('./commands/demo.ts')).loadDemoCommand(out()),
  )

  const catalog = vitrine.command('catalog').description('products and categories')
  command(catalog, 'import <file>', 'take every good line of a .jsonl, .jsonl.gz or .csv file and report every bad one')
    .requiredOption('--store <slug>', 'the store of lines that name none; made where there is none')
    .action(async (file, options) => (await import('./commands/catalog.ts')).importCatalogCommand(file, options, out()))
  command(catalog, 'export <file>', 'write the catalogue of a store to a .jsonl or .jsonl.gz file that can be imported')
    .requiredOption('--store <slug>', 'the store')
    .action(async (file, options) => (await import('./commands/catalog.ts')).exportCatalogCommand(file, options, out()))

  const order = vitrine.command('order').description('orders, of whichever installation')
  command(order, 'import <file>', 'take every good line of a .jsonl or .jsonl.gz file and report every bad one')
    .option('--installation <id>', 'the installation of lines that name none')
    .action(async (file, options) => (await import('./commands/order.ts')).importOrdersCommand(file, options, out()))
  command(order, 'list', 'list the newest orders')
    .option('--installation <id>', 'of this installation alone')
    .option('--status <status>', 'confirmed, processing, on_hold, completed or canceled')
    .option('--email <address>', 'of this buyer alone')
    .option('--limit <number>', 'how many', '50')
    .action(async (options) => (await import('./commands/order.ts')).listOrdersCommand(options, out()))
  command(order, 'show <order>', 'show an order by its id or its number').action(async (name) =>
    (await import('./commands/order.ts')).showOrderCommand(name, out()),
  )
  command(order, 'begin <order>', 'say that somebody is preparing it').action(async (name) =>
    (await import('./commands/order.ts')).beginOrderCommand(name, out()),
  )
  command(order, 'hold <order>', 'let nothing more of it leave')
    .option('--reason <text>', 'why; it stands in the timeline')
    .action(async (name, options) => (await import('./commands/order.ts')).holdOrderCommand(name, options, out()))
  command(order, 'release <order>', 'let it go on where it was held').action(async (name) =>
    (await import('./commands/order.ts')).releaseOrderCommand(name, out()),
  )

  const installation = vitrine.command('installation').description('shops, apps and agents that may ask')
  command(installation, 'create', 'register an installation')
    .requiredOption('--name <name>', 'what it is called')
    .option('--store <slug>', 'its one store; the whole marketplace where absent')
    .option('--environment <environment>', 'test or live', 'test')
    .option('--return-url <url>', 'where shoppers may be sent back to; repeatable', collect)
    .option('--origin <origin>', 'an origin whose scripts may call; repeatable', collect)
    .action(async (options) => (await import('./commands/installation.ts')).createInstallationCommand(options, out()))
  command(installation, 'list', 'list the installations').action(async () =>
    (await import('./commands/installation.ts')).listInstallationsCommand(out()),
  )

  command(installation, 'suspend <id>', 'refuse all credentials of an installation').action(async (id) =>
    (await import('./commands/installation.ts')).setInstallationStatusCommand(id, 'suspended', out()),
  )
  command(installation, 'resume <id>', 'let a suspended installation go on').action(async (id) =>
    (await import('./commands/installation.ts')).setInstallationStatusCommand(id, 'active', out()),
  )

  const store = vitrine.command('store').description('who sells, and how each store is entered')
  command(store, 'list', 'list the stores').action(async () =>
    (await import('./commands/store.ts')).listStoresCommand(out()),
  )
  command(store, 'access <slug>', 'set how a store is entered; earlier grants end')
    .requiredOption('--mode <mode>', 'open, password or challenge')
    .option('--password-stdin', 'read the password of the store from standard input')
    .option('--require-grant <purposes>', 'register,password_reset; "" requires none')
    .action(async (slug, options) => (await import('./commands/store.ts')).storeAccessCommand(slug, options, out()))

  addSiteCommands(vitrine, command, out)

  addFulfilmentCommands(vitrine, command, out)

  addWatchingCommands(vitrine, command, out)

  const key = vitrine.command('key').description('API keys')
  command(key, 'create', 'make an API key and show it this once')
    .requiredOption('--installation <id>', 'whose key it is')
    .requiredOption('--scopes <scopes>', 'catalog:read,checkout:quote,webhooks:read,webhooks:write')
    .option('--generate-key <file>', 'bind it to a new key pair, whose private key is written to this file')
    .option('--public-key <file>', 'bind it to this public key, a JWK or PEM')
    .option('--expires <time>', 'when it stops working')
    .action(async (options) => (await import('./commands/key.ts')).createKeyCommand(options, out()))
  command(key, 'list', 'list the keys of an installation')
    .requiredOption('--installation <id>', 'whose keys')
    .action(async (options) => (await import('./commands/key.ts')).listKeysCommand(options, out()))
  command(key, 'rotate <id>', 'make the successor of a key; the old one works for 24 hours more')
    .option('--generate-key <file>', 'bind it to a new key pair, whose private key is written to this file')
    .option('--public-key <file>', 'bind it to this public key, a JWK or PEM; to that of the old key by default')
    .action(async (id, options) => (await import('./commands/key.ts')).rotateKeyCommand(id, options, out()))
  command(key, 'revoke <id>', 'end a key at once').action(async (id) =>
    (await import('./commands/key.ts')).revokeKeyCommand(id, out()),
  )

  const oauth = vitrine.command('oauth').description('apps that act for an installation with tokens')
  const oauthClient = oauth.command('client').description('the apps themselves')
  command(oauthClient, 'create', 'register an app')
    .requiredOption('--installation <id>', 'the installation that it acts for')
    .requiredOption('--redirect-uri <url>', 'where people are sent back to, exactly; repeatable', collect)
    .option('--public', 'an app that keeps no secret, such as one on a telephone; so where nothing is said')
    .option('--jwks <file>', 'the JWK Set with its public keys: it signs what it asks (private_key_jwt)')
    .action(async (options) => (await import('./commands/oauth.ts')).createOAuthClientCommand(options, out()))
  const oauthGrant = oauth.command('grant').description('what was approved')
  command(oauthGrant, 'list', 'list the grants, the newest first')
    .option('--installation <id>', 'those of this installation alone')
    .action(async (options) => (await import('./commands/oauth.ts')).listGrantsCommand(options, out()))
  command(oauthGrant, 'revoke <id>', 'end a grant and all its tokens at once').action(async (id) =>
    (await import('./commands/oauth.ts')).revokeGrantCommand(id, out()),
  )
  command(oauth, 'code', "approve in the operator's name and print the code, which works once within 60 s")
    .requiredOption('--client <id>', 'the app')
    .requiredOption('--redirect-uri <url>', 'one of those that it has registered')
    .requiredOption('--code-challenge <challenge>', 'the SHA-256 of its PKCE verifier in base64url')
    .option('--dpop-jkt <thumbprint>', 'the one key that may redeem the code')
    .option('--scopes <scopes>', 'catalog:read,checkout:quote,webhooks:read,webhooks:write; all of them where absent')
    .action(async (options) => (await import('./commands/oauth.ts')).oauthCodeCommand(options, out()))

  const staff = vitrine.command('staff').description('people who work for a store')
  command(staff, 'create', 'let somebody grant access to a store')
    .requiredOption('--store <slug>', 'the store that they work for')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--password-stdin', 'read their password from standard input')
    .action(async (options) => (await import('./commands/staff.ts')).createStaffCommand(options, out()))

  const readiness = vitrine.command('readiness').description('proofs that lift the block on live keys')
  command(readiness, 'list', 'list what must be proven').action(async () =>
    (await import('./commands/readiness.ts')).listReadinessCommand(out()),
  )
  command(readiness, 'record <code>', 'record that a proof was seen')
    .requiredOption('--note <text>', 'what was seen')
    .action(async (code, options) =>
      (await import('./commands/readiness.ts')).recordReadinessCommand(code, options.note, out()),
    )

  const webhook = vitrine.command('webhook').description('where events are told, and what became of each')
  command(webhook, 'list', 'list the endpoints, and how they fare')
    .option('--installation <id>', 'of this installation alone')
    .action(async (options) => (await import('./commands/webhook.ts')).listWebhooksCommand(options, out()))
  command(webhook, 'deliveries', 'list the newest deliveries to an endpoint')
    .requiredOption('--endpoint <id>', 'the endpoint')
    .option('--status <status>', 'pending, delivering, retrying, succeeded, dead or canceled')
    .option('--limit <number>', 'how many', '50')
    .action(async (options) => (await import('./commands/webhook.ts')).listDeliveriesCommand(options, out()))
  command(webhook, 'replay <delivery>', 'deliver an event again').action(async (id) =>
    (await import('./commands/webhook.ts')).replayDeliveryCommand(id, out()),
  )
  command(webhook, 'test', 'send a test to an endpoint')
    .requiredOption('--endpoint <id>', 'the endpoint')
    .option('--message <text>', 'what it says', 'Hello from Vitrine')
    .action(async (options) => (await import('./commands/webhook.ts')).sendTestCommand(options, out()))
  command(webhook, 'listen', 'receive, verify and show deliveries on this machine')
    .option('--port <port>', 'where to listen, on loopback', '9000')
    .option('--secret <secret>', 'the secret of the endpoint; VITRINE_WEBHOOK_SECRET by default')
    .option('--answer <status>', 'what to answer, to try out what a failure does', '200')
    .action(async (options) => (await import('./commands/webhook-listen.ts')).listenCommand(options, out()))
  command(webhook, 'reseal', 'seal all secrets with the newest key of WEBHOOK_SECRET_KEY').action(async () =>
    (await import('./commands/webhook.ts')).resealCommand(out()),
  )

  const mailbox = vitrine.command('mailbox').description('mails that were written here')
  command(mailbox, 'list', 'list the newest mails')
    .option('--limit <number>', 'how many', '50')
    .action(async (options) => (await import('./commands/mailbox.ts')).listMailsCommand(options.limit, out()))
  command(mailbox, 'show <id>', 'show a mail').action(async (id) =>
    (await import('./commands/mailbox.ts')).showMailCommand(id, out()),
  )

  command(vitrine, 'backup <file>', 'write the whole database into a file, as it is now').action(async (file) =>
    (await import('./commands/backup.ts')).backupCommand(file, out()),
  )
  command(vitrine, 'restore <file>', 'fill an empty database from a backup').action(async (file) =>
    (await import('./commands/backup.ts')).restoreCommand(file, out()),
  )

  command(vitrine, 'openapi', 'print the OpenAPI document of the public door')
    .option('--operator', 'that of the operator door instead')
    .action(async (options) => (await import('./commands/openapi.ts')).openapiCommand(options))
  command(vitrine, 'call <operation>', 'call an operation as an installation does')
    .option('--key <key>', 'an API key; VITRINE_KEY by default')
    .option('--key-file <file>', 'the private key that it is bound to; VITRINE_KEY_FILE by default')
    .option('--param <name=value>', 'a part of the path; repeatable', collect)
    .option('--query <name=value>', 'a query parameter; repeatable', collect)
    .option('--body <json>', 'the body')
    .option('--idempotency-key <key>', 'names the effect; a new one by default')
    .option('--url <url>', 'the public door')
    .action(async (operation, options) => (await import('./commands/call.ts')).callCommand(operation, options, out()))
  return vitrine
}

/** Runs the command line and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  // Whoever reads us may have enough, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  try {
    await program().parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = tell(error)
  }
}

/** Says what is wrong on standard error: a sentence for what a person can mend, the stack for what only we can. */
function tell(error: unknown): number {
  // It has said so itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`vitrine: ${sentenceOf(error) ?? stack}\n`)
  return isMisuse(error) ? MISUSED : FAILED
}
