import type { Command } from 'commander'
import type { Output } from './output.ts'

/** How the command line declares a command of its own. */
export type Declare = (parent: Command, nameAndArguments: string, description: string) => Command

/** What the site is, beside what it sells: `site`, `legal`, `contact` and `decoration`. */
export function addSiteCommands(vitrine: Command, command: Declare, out: () => Output): void {
  const site = vitrine.command('site').description('what the site is called, and what it offers')
  command(site, 'show', 'show what was said of the site').action(async () =>
    (await import('./commands/site.ts')).showSiteCommand(out()),
  )
  command(site, 'set', 'say what the site is; what is left out is what its open stores offer')
    .requiredOption('--name <name>', 'what it is called')
    .option('--locales <locales>', 'the languages that are offered, the default first: en,de')
    .option('--currencies <currencies>', 'the currencies, the default first: EUR,USD')
    .option('--countries <countries>', 'the countries that are sold to, the default first: DE,AT')
    .option('--logo <url>', 'the address of its logo, 400 by 400 pixels')
    .action(async (options) => (await import('./commands/site.ts')).setSiteCommand(options, out()))

  const legal = vitrine.command('legal').description('legal documents and their versions')
  command(legal, 'publish <file>', 'publish a version in one language; it is never changed afterwards')
    .requiredOption(
      '--type <type>',
      'terms_of_use, privacy_policy, return_policy, shipping_policy, cookie_policy, imprint',
    )
    .requiredOption('--version <version>', 'what this text is called, such as 2026-03-01')
    .requiredOption('--locale <locale>', 'the language of the text')
    .requiredOption('--title <title>', 'its title')
    .option('--effective <time>', 'from when it is in force; at once by default')
    .option('--store <slug>', 'the store whose document it is; the marketplace’s own by default')
    .option('--plain', 'the text is no Markdown')
    .action(async (file, options) => (await import('./commands/legal.ts')).publishLegalCommand(file, options, out()))
  command(legal, 'list', 'list every version that was published')
    .option('--store <slug>', 'those of a store; the marketplace’s own by default')
    .action(async (options) => (await import('./commands/legal.ts')).listLegalCommand(options, out()))

  const contact = vitrine.command('contact').description('the ways to reach the people behind the site')
  command(
    contact,
    'save <file>',
    'write the channels of one language, as a JSON list in the order in which they are offered',
  )
    .requiredOption('--locale <locale>', 'the language')
    .action(async (file, options) => (await import('./commands/contact.ts')).saveContactCommand(file, options, out()))
  command(contact, 'list', 'list the channels in each language').action(async () =>
    (await import('./commands/contact.ts')).listContactCommand(out()),
  )

  const decoration = vitrine.command('decoration').description('how a store looks: draft, preview, publish')
  const ofStore = (parent: Command) => parent.requiredOption('--store <slug>', 'whose pages')
  ofStore(command(decoration, 'draft <file>', 'keep a draft, as JSON; nobody sees it'))
    .option('--expected-version <number>', 'refuse where the draft has another version by now')
    .action(async (file, options) => (await import('./commands/decoration.ts')).draftCommand(file, options, out()))
  ofStore(command(decoration, 'preview', 'show the draft as it would be published'))
    .option('--locale <locale>', 'the language', 'en')
    .action(async (options) => (await import('./commands/decoration.ts')).previewCommand(options, out()))
  ofStore(command(decoration, 'publish', 'show the draft to everybody')).action(async (options) =>
    (await import('./commands/decoration.ts')).publishCommand(options, out()),
  )
  ofStore(command(decoration, 'list', 'list the versions that were published')).action(async (options) =>
    (await import('./commands/decoration.ts')).listDecorationsCommand(options, out()),
  )
  ofStore(command(decoration, 'take-up <version>', 'make an older version the draft again')).action(
    async (version, options) => (await import('./commands/decoration.ts')).takeUpCommand(version, options, out()),
  )
}
