import { ContactChannel } from '@vitrine/contract'
import { Type } from 'typebox'
import { refuseField } from '../../kernel/refusal.ts'
import { validate } from '../../platform/http/parse.ts'
import { checker } from '../../platform/http/schema-check.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { CONTACT } from './subjects.ts'

/** A channel as input. Its locale is that of the list. */
export type ContactChannelInput = Omit<ContactChannel, 'locale'>

const { locale: Locale, ...members } = ContactChannel.properties
const ContactChannels = Type.Object(
  {
    locale: Locale,
    channels: Type.Array(Type.Object(members, { additionalProperties: false }), { maxItems: 100 }),
  },
  { additionalProperties: false },
)
const check = checker(ContactChannels)

interface ContactRow {
  readonly locale: string
  readonly channels: readonly ContactChannelInput[]
}

const readAll = statement<ContactRow>(
  'storefront.read_contact',
  'select locale, channels from contact_channels where channels <> $1::jsonb order by locale',
)
const save = statement(
  'storefront.save_contact',
  `insert into contact_channels (locale, channels, created_at, updated_at) values ($1, $2, $3, $3)
   on conflict (locale) do update set channels = excluded.channels, version = contact_channels.version + 1,
     updated_at = excluded.updated_at`,
)

/** The non-empty lists of channels, by locale. */
export async function readContactChannels(
  reader: Reader,
): Promise<ReadonlyMap<string, readonly ContactChannelInput[]>> {
  return new Map((await reader.rows(readAll, ['[]'])).map(({ locale, channels }) => [locale, channels]))
}

/**
 * Replaces the contact channels of one language, in display order. An empty list removes the language.
 *
 * Refusals: `validation_failed`, `unknown_field`.
 */
export function saveContactChannels(
  tx: Transaction,
  input: { readonly locale: string; readonly channels: readonly ContactChannelInput[] },
  now: Date,
): void {
  validate(check, ContactChannels, 'body', input)
  refuseDuplicates(input.channels)
  tx.write(save, [input.locale, JSON.stringify(input.channels), now])
  bumpRevision(tx, CONTACT)
}

function refuseDuplicates(channels: readonly ContactChannelInput[]): void {
  const duplicate = channels.findIndex(({ id }, index) => channels.findIndex((each) => each.id === id) < index)
  if (duplicate === -1) return
  refuseField(`channels/${duplicate}/id`, 'not_unique', 'Another channel has this id.')
}
