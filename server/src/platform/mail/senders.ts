import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** The sender that recipients see, and the address for replies. `null`: that of the installation, and none for replies. */
export interface MailSender {
  readonly name: string | null
  readonly address: string | null
  readonly replyTo: string | null
}

/** A sender that an operator has saved for a store, or for the marketplace if `storeId` is `null`. */
export interface SavedSender extends MailSender {
  readonly storeId: string | null
  readonly version: number
}

const read = statement<SavedSender>(
  'mail.read_senders',
  `select store_id as "storeId", name, address, reply_to as "replyTo", version from mail_senders
   where store_id is null or store_id = any ((select $1::text[])::text[])`,
)

/** The saved senders of the marketplace and of stores. */
export function readMailSenders(reader: Reader, storeIds: readonly string[]): Promise<readonly SavedSender[]> {
  return reader.rows(read, [storeIds])
}

const save = statement(
  'mail.save_sender',
  `insert into mail_senders (store_id, name, address, reply_to, version, created_at, updated_at)
   values ($1, $2, $3, $4, 1, $6, $6)
   on conflict (store_id) do update set name = excluded.name, address = excluded.address, reply_to = excluded.reply_to,
     version = mail_senders.version + 1, updated_at = excluded.updated_at
   where mail_senders.version = $5`,
)

/**
 * Saves a sender. `version` is the one it replaces, 0 for none.
 *
 * @returns whether it was still that version
 */
export async function saveMailSender(
  tx: Transaction,
  { storeId, name, address, replyTo, version }: SavedSender,
  now: Date,
): Promise<boolean> {
  return (await tx.change(save, [storeId, name, address, replyTo, version, now])) === 1
}
