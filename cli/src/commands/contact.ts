import { type ContactChannelInput, readContactChannels, saveContactChannels } from '@vitrine/server'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { readJsonFile } from './json-file.ts'

/** `vitrine contact save FILE`: writes the channels of one language. An empty list takes the language away. */
export async function saveContactCommand(
  file: string,
  { locale }: { readonly locale: string },
  output: Output,
): Promise<void> {
  // Checked where it is saved.
  const channels = (await readJsonFile(file)) as readonly ContactChannelInput[]
  await inHouse(output, ({ database, now }) =>
    database.transaction(async (tx) => saveContactChannels(tx, { locale, channels }, now())),
  )
  output.result({ locale, channels: channels.length }, [`Saved ${channels.length} channels in ${locale}.`])
}

/** `vitrine contact list`: the channels in each language. */
export async function listContactCommand(output: Output): Promise<void> {
  const byLocale = await inHouse(output, ({ database }) => readContactChannels(database.reader))
  const channels = [...byLocale].flatMap(([locale, each]) => each.map((channel) => ({ ...channel, locale })))
  const lines = columns([
    ['LANGUAGE', 'ID', 'TYPE', 'LABEL', 'VALUE'],
    ...channels.map(({ locale, id, type, label, value }) => [locale, id, type, label, value]),
  ])
  output.result(
    channels,
    channels.length > 0 ? lines : ['There is no channel yet: vitrine contact save FILE --locale en'],
  )
}
