import { writeFile } from 'node:fs/promises'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, UsageError } from '../../failure.ts'
import type { Answer, Input } from '../../operator-client.ts'
import { writeWhole } from '../../whole-file.ts'

type Settings = NonNullable<Input<'previewRetention'>['body']>

interface RetentionOptions {
  readonly orderYears?: string
  readonly closedAccountDays?: string
  readonly endedCartDays?: string
  readonly mailDays?: string
  readonly searchDays?: string
}

/** The data of a person has their address and orders, so only its owner can read the file. */
const OWNER_ALONE = 0o600

/** `privacy` and `retention`. */
export function addPrivacyCommands(cli: CommandLine): void {
  addPeople(cli)
  addRetention(cli)
}

function addPeople({ command, group, operator, out }: CommandLine): void {
  const privacy = group('privacy', 'personal data of a customer or guest, by email address or customer id')
  command(privacy, 'export <person>', 'write everything about a person as JSON')
    .option('--out <file>', 'file to write; standard output by default')
    .action(async (person: string, { out: file }: { out?: string }) => {
      const found = await operator((client) => client.call('exportPerson', { body: { person } }))
      const text = `${JSON.stringify(found, null, 2)}\n`
      if (file === undefined) return out.result(found, [text.trimEnd()])
      // Not into an existing file, which others may be allowed to read.
      await writeWhole(file, (unfinished) => writeFile(unfinished, text, { mode: OWNER_ALONE }))
      out.result({ file }, [`${file}: ${Object.keys(found.data).join(', ') || 'nothing is known'}.`])
    })
  command(privacy, 'preview <person>', 'show what an erasure would change').action(async (person: string) => {
    showErasure(await operator((client) => client.call('previewErasure', { body: { person } })))
  })
  command(privacy, 'erase <person>', 'erase a person; this cannot be undone')
    .option('--yes', 'required: it cannot be undone')
    .action(async (person: string, { yes }: { yes?: boolean }) => {
      if (!yes) throw new UsageError('An erasure cannot be undone. Preview it, then give --yes.')
      const erased = await operator(async (client) => {
        const { open } = await client.call('previewErasure', { body: { person } })
        if (open.length > 0)
          throw new CommandError(`Nothing was erased. ${endFirst(open)} See vitrine order show NUMBER.`)
        return client.call('erasePerson', { body: { person } })
      })
      showErasure(erased)
    })

  function showErasure(erasure: Answer<'erasePerson'>): void {
    const rows = erasure.found.map(({ place, rows: count, effect }) => [place, `${count}`, effect.replaceAll('_', ' ')])
    out.table(erasure, ['PLACE', 'ROWS', 'EFFECT'], rows, 'Nothing is known about this person.')
    if (erasure.open.length > 0) out.note(endFirst(erasure.open))
  }
}

/** By the numbers of the orders and the ids of the checkouts. */
function endFirst(open: readonly string[]): string {
  return `These orders and checkouts have to end first: ${open.join(', ')}.`
}

function addRetention({ command, group, operator, out }: CommandLine): void {
  const retention = group('retention', 'retention periods of data')
  command(retention, 'show', 'show the retention periods').action(async () => {
    const settings = await operator((client) => client.call('getRetention'))
    out.result(settings, linesOf(settings))
  })
  command(retention, 'set', 'change the retention periods; without --yes, only show what would be removed')
    .option('--order-years <years>', 'full calendar years for orders and invoices, or "keep"')
    .option('--closed-account-days <days>', 'days until closed accounts are erased, or "keep"')
    .option('--ended-cart-days <days>', 'days for carts that have ended')
    .option('--mail-days <days>', 'days for sent emails')
    .option('--search-days <days>', 'days for counts of searches')
    .option('--yes', 'save it')
    .action(async ({ yes, ...options }: RetentionOptions & { yes?: boolean }) => {
      const { version, ...current } = await operator((client) => client.call('getRetention'))
      const body = changed(current, options)
      const preview = await operator((client) => client.call('previewRetention', { body }))
      const goes = [
        'Will be removed:',
        ...Object.entries(preview).map(([what, count]) => `  ${WORDS[what as keyof typeof preview]}: ${count}`),
      ]
      if (!yes) return out.result(preview, [...goes, 'Nothing was saved. Give --yes to save it.'])
      const input = { body: { ...body, expectedVersion: version } }
      const saved = await operator((client) => client.call('saveRetention', input))
      out.result(saved, [...goes, ...linesOf(saved)])
    })
}

const WORDS: Readonly<Record<keyof Answer<'previewRetention'>, string>> = {
  orders: 'orders',
  invoices: 'invoices',
  closedAccounts: 'closed accounts',
  endedCarts: 'ended carts',
  mails: 'emails',
  searches: 'counts of searches',
}

function changed(current: Settings, options: RetentionOptions): Settings {
  const chosen = Object.entries(options).map(([name, text]: [string, string]) => {
    const mayKeep = name === 'orderYears' || name === 'closedAccountDays'
    if (mayKeep && text === 'keep') return [name, undefined]
    if (/^\d{1,4}$/.test(text)) return [name, Number(text)]
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    throw new UsageError(`${option} must be a whole number${mayKeep ? ' or "keep"' : ''}, not "${text}".`)
  })
  return { ...current, ...Object.fromEntries(chosen) }
}

function linesOf({ orderYears, closedAccountDays, endedCartDays, mailDays, searchDays }: Settings): string[] {
  const until = 'until they are erased'
  return [
    `orders and invoices: ${orderYears === undefined ? until : `${orderYears} calendar years`}`,
    `closed accounts: ${closedAccountDays === undefined ? until : `${closedAccountDays} days`}`,
    `ended carts: ${endedCartDays} days`,
    `emails: ${mailDays} days`,
    `counts of searches: ${searchDays} days`,
  ]
}
