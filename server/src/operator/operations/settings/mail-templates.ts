import type {
  MailTemplateWords,
  OperatorMailPreview,
  OperatorMailTemplate,
  operatorOperations,
} from '@vitrine/contract/operator'
import { editableAccountMails } from '../../../features/accounts/index.ts'
import { editableAfterSalesMails } from '../../../features/after-sales/index.ts'
import { editableCancellationMails } from '../../../features/cancellations/index.ts'
import { listAllProducts } from '../../../features/catalog/index.ts'
import { editableCheckoutMails } from '../../../features/checkout/index.ts'
import { editableLicenseMails } from '../../../features/fulfillment/index.ts'
import { editableOrderMails, type MailSample, type SamplePictures } from '../../../features/orders/index.ts'
import { readSiteName } from '../../../features/storefront/index.ts'
import { LANGUAGE_CODES, type Language } from '../../../kernel/languages/languages.ts'
import { faultsOfWords, type MailWords } from '../../../kernel/languages/mail-words.ts'
import { refuse, refuseField, refuseStale } from '../../../kernel/refusal.ts'
import {
  type EditableMail,
  type EditedWords,
  listTemplateVersions,
  type NewMail,
  readEditedWords,
  saveTemplate,
  senderText,
  sendMail,
  withLetterhead,
  wordsInForce,
} from '../../../platform/mail/index.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorFacts, OperatorHandler } from '../../door/handler.ts'
import { findOperator } from '../../door/session-store.ts'
import type { MailSenderDeps } from './mail-sender.ts'
import { ownerOf } from './owner.ts'

type Rows = typeof operatorOperations

export interface MailTemplateDeps extends MailSenderDeps {
  readonly pagesUrl: string
}

const EDITABLE: readonly EditableMail<MailSample>[] = [
  ...editableCheckoutMails,
  ...editableOrderMails,
  ...editableLicenseMails,
  ...editableCancellationMails,
  ...editableAfterSalesMails,
  ...editableAccountMails,
]

/** The store of the sample order of the marketplace. */
const NO_STORE = 'store_sample'

/** The mail that an operator edits, with its store and language. */
interface Edited {
  readonly mail: EditableMail<MailSample>
  readonly storeId: string | null
  readonly language: Language
}

/** GET /operator/v1/mail-templates */
const listMailTemplates: OperatorHandler<Rows['listMailTemplates']> = async ({ query }, { reader }) => {
  const storeId = await ownerOf(reader, query.storeSlug)
  const edited = await readEditedWords(reader, '', storesOf(storeId))
  const language = loadLanguage(query.language ?? LANGUAGE_CODES[0])
  const items = EDITABLE.filter(({ isOfStores }) => isOfStores || storeId === null).map((mail) => {
    const languages = LANGUAGE_CODES.filter((each) => isEdited(edited, { mail, storeId, language: each }))
    const { words, source } = inForce(edited, { mail, storeId, language })
    return { kind: mail.kind, subject: words.subject, source, languages: [...languages] }
  })
  return { items, languages: [...LANGUAGE_CODES] }
}

/** GET /operator/v1/mail-templates/{kind}/{language} */
function getMailTemplate(deps: MailTemplateDeps): OperatorHandler<Rows['getMailTemplate']> {
  return async ({ params, query }, context) => {
    const { reader } = context
    return presentTemplate(deps, reader, await editedOf(reader, params, query.storeSlug), context)
  }
}

/** PUT /operator/v1/mail-templates/{kind}/{language} */
function saveMailTemplate(deps: MailTemplateDeps): OperatorHandler<Rows['saveMailTemplate']> {
  return async ({ params, body }, context) => {
    const { tx, now, audit } = context
    const edited = await editedOf(tx, params, body.storeSlug)
    const { mail, storeId, language } = edited
    const words = body.words ?? null
    if (words !== null) refuseFaulty(words, mail)
    const key = { storeId, kind: mail.kind, language }
    const [latest] = await listTemplateVersions(tx, key)
    const version = latest?.version ?? 0
    refuseStale(version, body.expectedVersion)

    const isNext = await saveTemplate(tx, key, { version: version + 1, words, createdAt: now })
    // Another operator may have saved between the read and the write.
    if (!isNext) refuseStale(version + 1, version)

    const gone = { subject: null, heading: null, introduction: null, closing: null }
    const id = [mail.kind, language, storeId ?? 'marketplace'].join(' ')
    audit({ subject: { type: 'mail_template', id }, ...changedFields({ ...latest?.words }, { ...(words ?? gone) }) })
    return presentTemplate(deps, tx, edited, context)
  }
}

/** POST /operator/v1/mail-templates/{kind}/{language}/preview */
function previewMailTemplate(deps: MailTemplateDeps): OperatorHandler<Rows['previewMailTemplate']> {
  return async ({ params, body }, context) => {
    const { reader, now } = context
    const edited = await editedOf(reader, params, body.storeSlug)
    const pictures = await picturesOf(reader, body.storeSlug ?? null)
    const { subject, bodies, locale } = await sampleOf(deps, reader, edited, { draft: body.words, pictures, now })
    const letterhead = await deps.loadLetterhead(reader, { storeIds: storesOf(edited.storeId), locale, now })
    const { replyTo } = letterhead.sender
    const preview: OperatorMailPreview = {
      subject,
      from: senderText(letterhead.sender, deps.mailFrom),
      ...(replyTo !== null && { replyTo }),
      ...withLetterhead(bodies, letterhead),
    }
    return preview
  }
}

/** POST /operator/v1/mail-templates/{kind}/{language}/test */
function sendTestMail(deps: MailTemplateDeps): OperatorHandler<Rows['sendTestMail']> {
  return async ({ params, body }, context) => {
    const { tx, now, ids, operator, audit } = context
    const edited = await editedOf(tx, params, body.storeSlug)
    const recipient = body.recipient ?? (operator.via === 'session' ? operator.email : '')
    // To operators only: a stranger would get a mail about an order that does not exist.
    if (recipient === '' || !(await findOperator(tx, recipient))) {
      refuseField('recipient', 'not_an_operator', 'Name the address of an operator.')
    }
    const pictures = await picturesOf(tx, body.storeSlug ?? null)
    const { kind, ...sample } = await sampleOf(deps, tx, edited, { draft: body.words, pictures, now })
    const subject = `[Test] ${sample.subject}`
    sendMail(tx, { ...sample, kind, subject, recipient, storeIds: storesOf(edited.storeId) }, { ids, now })
    audit({ subject: { type: 'test_mail', id: kind }, before: null, after: { recipient, language: edited.language } })
    return { recipient }
  }
}

export function mailTemplateOperations(deps: MailTemplateDeps) {
  return {
    listMailTemplates,
    getMailTemplate: getMailTemplate(deps),
    saveMailTemplate: saveMailTemplate(deps),
    previewMailTemplate: previewMailTemplate(deps),
    sendTestMail: sendTestMail(deps),
  }
}

/** Refusals: `not_found` for an unknown mail, language or store, and for a store and a mail of the marketplace. */
async function editedOf(
  reader: Reader,
  { kind, language }: { readonly kind: string; readonly language: string },
  storeSlug: string | undefined,
): Promise<Edited> {
  const mail = EDITABLE.find((each) => each.kind === kind) ?? refuse('not_found')
  const known = loadLanguage(language)
  const storeId = await ownerOf(reader, storeSlug)
  if (storeId !== null && !mail.isOfStores) refuse('not_found')
  return { mail, storeId, language: known }
}

/** Refusal: `not_found` for a language that mails are not written in. */
function loadLanguage(language: string | undefined): Language {
  return LANGUAGE_CODES.find((each) => each === language) ?? refuse('not_found')
}

function storesOf(storeId: string | null): readonly string[] {
  return storeId === null ? [] : [storeId]
}

function isEdited(all: readonly EditedWords[], { mail, storeId, language }: Edited): boolean {
  return all.some((each) => each.kind === mail.kind && each.language === language && each.storeId === storeId)
}

function inForce(
  all: readonly EditedWords[],
  edited: Edited,
): { readonly words: MailTemplateWords; readonly source: OperatorMailTemplate['source'] } {
  const { mail, storeId, language } = edited
  const found = wordsInForce(all, { kind: mail.kind, language, storeIds: storesOf(storeId) })
  if (found === undefined) return { words: mail.words[language], source: 'default' }
  return { words: wordsOf(found), source: storeId !== null && isEdited(all, edited) ? 'store' : 'marketplace' }
}

function wordsOf({ subject, heading, introduction, closing }: MailWords): MailTemplateWords {
  return { subject, heading, introduction, closing }
}

async function presentTemplate(
  deps: MailTemplateDeps,
  reader: Reader,
  edited: Edited,
  { now }: Pick<OperatorFacts, 'now'>,
): Promise<OperatorMailTemplate> {
  const { mail, storeId, language } = edited
  const { kind, placeholders } = mail
  const [all, versions] = await Promise.all([
    readEditedWords(reader, kind, storesOf(storeId)),
    listTemplateVersions(reader, { storeId, kind, language }),
  ])
  const others = all.filter((each) => each.storeId !== storeId)
  const examples = await Promise.all(
    placeholders.map(async (name) => {
      const draft = { ...mail.words[language], subject: `{{${name}}}` }
      return { name, example: (await sampleOf(deps, reader, edited, { draft, now })).subject }
    }),
  )
  return {
    kind,
    language,
    ...inForce(all, edited),
    inherited: inForce(others, edited).words,
    version: versions[0]?.version ?? 0,
    placeholders: examples,
    versions: versions.map(({ version, words, createdAt }) => ({
      version,
      ...(words !== null && { words }),
      createdAt: createdAt.toISOString(),
    })),
  }
}

interface SampleFacts {
  readonly draft: MailTemplateWords | undefined
  readonly pictures?: SamplePictures
  readonly now: Date
}

/** Pictures of the newest products, so that the sample looks like a mail of this shop. */
async function picturesOf(reader: Reader, storeSlug: string | null): Promise<SamplePictures> {
  const any = { after: null, status: null, text: null, like: null, isSellable: null, skuId: null, language: 'en' }
  const products = await listAllProducts(reader, { ...any, storeSlug, limit: 2 })
  return products.map(({ image }) => image?.url)
}

/** The mail about the sample order, with a draft of its words or those in force. Refusals: `validation_failed`. */
async function sampleOf(
  { pagesUrl }: MailTemplateDeps,
  reader: Reader,
  { mail, storeId, language }: Edited,
  { draft, pictures = [], now }: SampleFacts,
): Promise<NewMail> {
  if (draft !== undefined) refuseFaulty(draft, mail)
  const edited =
    draft === undefined
      ? await readEditedWords(reader, mail.kind, storesOf(storeId))
      : [{ ...draft, kind: mail.kind, language, storeId }]
  const siteName = await readSiteName(reader)
  return mail.sample({ language, storeId: storeId ?? NO_STORE, pictures, siteName, pagesUrl, edited, now })
}

function refuseFaulty(words: MailTemplateWords, { placeholders }: EditableMail<MailSample>): void {
  const faults = faultsOfWords(words, placeholders)
  if (faults.length === 0) return
  refuse('validation_failed', { faults: faults.map(({ field, ...fault }) => ({ ...fault, field: `words/${field}` })) })
}
