import { type Static, Type } from 'typebox'
import { Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, leftOut, listOf, maybeEmpty, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Mail templates'
const auth = { kind: 'operator', area: 'settings' } as const
const Kind = formed('^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$', 100, 'The kind of mail.', 'orders.confirmed')
const Language = formed('^[a-z]{2,3}$', 3, 'A language that mails are written in.', 'en')
const TemplateVersion = integer(0, 2_147_483_647, 'Increases by one with each change; 0 if nothing was saved.', 3)
const StoreSlug = Type.Optional({ ...Slug, description: 'The store; absent: the marketplace.' })
const Address = text(254, 'An email address.', 'service@havelton.example')

export const MailTemplateWords = operatorNamed(
  'MailTemplateWords',
  closed('The words of a mail. Plain text with placeholders such as {{order.number}}.', {
    subject: text(150, 'The subject.', 'Your order {{order.number}} is confirmed'),
    heading: text(150, 'The heading.', 'Thank you, {{customer.name}}!'),
    introduction: text(2000, 'Paragraphs, separated by empty lines.', 'We will get your order ready.'),
    closing: maybeEmpty(2000, 'Paragraphs at the end.', 'Kind regards, your Havelton team'),
  }),
)
export type MailTemplateWords = Static<typeof MailTemplateWords>

const Source = oneOf(['store', 'marketplace', 'default'], 'The origin of the words in force.')

export const OperatorMailTemplate = operatorNamed(
  'OperatorMailTemplate',
  closed('The words of a mail in one language.', {
    kind: Kind,
    language: Language,
    source: Source,
    words: MailTemplateWords,
    inherited: MailTemplateWords,
    version: TemplateVersion,
    placeholders: listOf(
      closed('A placeholder.', {
        name: text(50, 'Its name.', 'order.number'),
        example: maybeEmpty(300, 'Its value in the preview.', 'V-10001'),
      }),
      20,
      'The placeholders of this mail.',
    ),
    versions: listOf(
      closed('A version.', {
        version: TemplateVersion,
        words: Type.Optional(leftOut(MailTemplateWords)),
        createdAt: Timestamp,
      }),
      100,
      'The versions, newest first. Without words: the edit was reverted.',
    ),
  }),
)
export type OperatorMailTemplate = Static<typeof OperatorMailTemplate>

const MailTemplateSummary = closed('A kind of mail.', {
  kind: Kind,
  subject: text(150, 'Its subject.', 'Your order {{order.number}} is confirmed'),
  source: Source,
  languages: listOf(Language, 20, 'The languages that this owner has edited.'),
})

export const OperatorMailPreview = operatorNamed(
  'OperatorMailPreview',
  closed('A mail with sample data.', {
    subject: text(200, 'The subject.', 'Your order V-10001 is confirmed'),
    from: text(400, 'The sender.', 'Havelton <no-reply@market.example>'),
    replyTo: Type.Optional(leftOut(Address)),
    text: text(100_000, 'The mail as text.', 'Your order V-10001 is confirmed'),
    html: text(500_000, 'The mail as HTML.', '<!doctype html>'),
  }),
)
export type OperatorMailPreview = Static<typeof OperatorMailPreview>

const senderFields = {
  name: Type.Optional(leftOut(text(100, 'The name; absent: that of the store or the marketplace.', 'Havelton'))),
  address: Type.Optional(leftOut({ ...Address, description: 'The address; absent: that of MAIL_FROM.' })),
  replyTo: Type.Optional(
    leftOut({ ...Address, description: 'The address for replies; absent: the contact address of the store.' }),
  ),
}
export const OperatorMailSender = operatorNamed(
  'OperatorMailSender',
  closed('The sender of mails.', {
    ...senderFields,
    version: TemplateVersion,
    from: text(400, 'The sender as recipients see it.', 'Havelton <no-reply@market.example>'),
    answersTo: Type.Optional(leftOut({ ...Address, description: 'The address for replies that is in use.' })),
  }),
)
export type OperatorMailSender = Static<typeof OperatorMailSender>

const templateParams = closed('The mail.', { kind: Kind, language: Language })
const ofStore = closed('The owner.', { storeSlug: StoreSlug })
const ofStoreInLanguage = closed('The owner, and the language of the words.', {
  storeSlug: StoreSlug,
  language: Type.Optional({ ...Language, description: 'The language of subjects and sources; absent: the first.' }),
})
const Draft = closed('Words, saved or not.', {
  storeSlug: StoreSlug,
  words: Type.Optional(MailTemplateWords),
})

export const mailTemplateRows = {
  listMailTemplates: operatorOperation({
    method: 'GET',
    path: '/operator/v1/mail-templates',
    tag,
    summary: 'List the mails whose words can be edited.',
    description: 'Of the marketplace, or those that a store can edit.',
    auth,
    query: ofStoreInLanguage,
    data: closed('The mails.', {
      items: listOf(MailTemplateSummary, 100, 'The mails, in the order of a purchase.'),
      languages: listOf(Language, 20, 'The languages that mails are written in.'),
    }),
    refusals: ['not_found'],
  }),
  getMailTemplate: operatorOperation({
    method: 'GET',
    path: '/operator/v1/mail-templates/{kind}/{language}',
    tag,
    summary: 'Get the words of a mail.',
    description: 'With its placeholders and its versions. `inherited`: the words without an edit of this owner.',
    auth,
    params: templateParams,
    query: ofStore,
    data: OperatorMailTemplate,
    refusals: ['not_found'],
  }),
  saveMailTemplate: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/mail-templates/{kind}/{language}',
    tag,
    summary: 'Save the words of a mail.',
    description:
      'As a new version. Without words, the edit is reverted. Mails that are already written stay as they are.',
    auth,
    params: templateParams,
    body: closed('The words.', {
      storeSlug: StoreSlug,
      words: Type.Optional(MailTemplateWords),
      expectedVersion: Type.Optional(TemplateVersion),
    }),
    data: OperatorMailTemplate,
    refusals: ['not_found', 'version_conflict'],
  }),
  previewMailTemplate: operatorOperation({
    method: 'POST',
    path: '/operator/v1/mail-templates/{kind}/{language}/preview',
    tag,
    summary: 'Preview a mail with a sample order.',
    description: 'With the words of the body, or those in force. Nothing is saved or sent.',
    auth,
    unaudited: true,
    params: templateParams,
    body: Draft,
    data: OperatorMailPreview,
    refusals: ['not_found'],
  }),
  sendTestMail: operatorOperation({
    method: 'POST',
    path: '/operator/v1/mail-templates/{kind}/{language}/test',
    tag,
    summary: 'Send the preview to yourself.',
    description:
      'To the address of the calling operator. The command line has none and must name the address of an operator.',
    auth,
    params: templateParams,
    body: closed('The words and the recipient.', {
      ...Draft.properties,
      recipient: Type.Optional({ ...Address, description: 'The address of an operator.' }),
    }),
    data: closed('The mail.', { recipient: Address }),
    refusals: ['not_found'],
  }),
  getMailSender: operatorOperation({
    method: 'GET',
    path: '/operator/v1/mail-sender',
    tag,
    summary: 'Get the sender of mails.',
    description: 'Of a store or the marketplace.',
    auth,
    query: ofStore,
    data: OperatorMailSender,
    refusals: ['not_found'],
  }),
  saveMailSender: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/mail-sender',
    tag,
    summary: 'Save the sender of mails.',
    description: 'The mail server must be allowed to send for the address (SPF, DKIM and DMARC of its domain).',
    auth,
    body: closed('The complete record.', {
      storeSlug: StoreSlug,
      ...senderFields,
      expectedVersion: Type.Optional(TemplateVersion),
    }),
    data: OperatorMailSender,
    refusals: ['not_found', 'version_conflict'],
  }),
}
