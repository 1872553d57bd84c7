import type { OperatorMailSender, operatorOperations } from '@vitrine/contract/operator'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import {
  type LoadLetterhead,
  readMailSenders,
  type SavedSender,
  saveMailSender as save,
  senderText,
} from '../../../platform/mail/index.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { ownerOf } from './owner.ts'

type Rows = typeof operatorOperations

/** The sources of the visible sender of a mail. */
export interface MailSenderDeps {
  readonly loadLetterhead: LoadLetterhead
  readonly mailFrom: string
}

const ADDRESS = /^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;]+$/
const NAME = /^[^\p{Cc}<>"]+$/u

/** GET /operator/v1/mail-sender */
function getMailSender(deps: MailSenderDeps): OperatorHandler<Rows['getMailSender']> {
  return async ({ query }, { reader, now }) => {
    const storeId = await ownerOf(reader, query.storeSlug)
    return presentSender(deps, reader, await findSender(reader, storeId), now)
  }
}

/** PUT /operator/v1/mail-sender */
function saveMailSender(deps: MailSenderDeps): OperatorHandler<Rows['saveMailSender']> {
  return async ({ body }, { tx, now, audit }) => {
    const { storeSlug, expectedVersion, name = null, address = null, replyTo = null } = body
    refuseMalformed({ name, address, replyTo })
    const storeId = await ownerOf(tx, storeSlug)
    const before = await findSender(tx, storeId)
    refuseStale(before.version, expectedVersion)

    const saved = await save(tx, { ...before, name, address, replyTo }, now)
    // Another operator may have saved between the read and the write.
    if (!saved) refuseStale(before.version + 1, before.version)

    const { version: _version, storeId: _storeId, ...was } = before
    audit({
      subject: { type: 'mail_sender', id: storeId ?? 'marketplace' },
      ...changedFields(was, { name, address, replyTo }),
    })
    return presentSender(deps, tx, { storeId, name, address, replyTo, version: before.version + 1 }, now)
  }
}

export function mailSenderOperations(deps: MailSenderDeps) {
  return { getMailSender: getMailSender(deps), saveMailSender: saveMailSender(deps) }
}

async function findSender(reader: Reader, storeId: string | null): Promise<SavedSender> {
  const senders = await readMailSenders(reader, storeId === null ? [] : [storeId])
  const found = senders.find((each) => each.storeId === storeId)
  return found ?? { storeId, name: null, address: null, replyTo: null, version: 0 }
}

async function presentSender(
  { loadLetterhead, mailFrom }: MailSenderDeps,
  reader: Reader,
  { storeId, name, address, replyTo, version }: SavedSender,
  now: Date,
): Promise<OperatorMailSender> {
  const { sender } = await loadLetterhead(reader, { storeIds: storeId === null ? [] : [storeId], locale: 'en', now })
  return {
    ...(name !== null && { name }),
    ...(address !== null && { address }),
    ...(replyTo !== null && { replyTo }),
    version,
    from: senderText(sender, mailFrom),
    ...(sender.replyTo !== null && { answersTo: sender.replyTo }),
  }
}

/** Refuses values that would break the headers of mails. */
function refuseMalformed({ name, address, replyTo }: Pick<SavedSender, 'name' | 'address' | 'replyTo'>): void {
  const addresses = Object.entries({ address, replyTo }).filter(([, each]) => each !== null && !ADDRESS.test(each))
  const faults = [
    ...addresses.map(([field]) => ({ field, code: 'malformed', message: 'This is not an email address.' })),
    ...(name !== null && !NAME.test(name)
      ? [{ field: 'name', code: 'malformed', message: 'A name has no quotation marks, angle brackets or line breaks.' }]
      : []),
  ]
  if (faults.length > 0) refuse('validation_failed', { faults })
}
