/** Mails: written in a transaction, delivered by a worker, read by the operator if there is no SMTP server. */
export { composeMail, type MailBodies, type MailContent, type MailList, type MailRow } from './compose.ts'
export { type LoadAttachments, mailJobs } from './deliver.ts'
export { type Letterhead, type LoadLetterhead, withLetterhead } from './letterhead.ts'
export { type MailSender, readMailSenders, type SavedSender, saveMailSender } from './senders.ts'
export { senderText, smtpTransport } from './smtp-transport.ts'
export { hasDelivered, type MailStats, mailStats } from './stats.ts'
export {
  DELIVER as MAIL_JOB,
  MAIL_RETENTION_DAYS,
  type MailHead,
  type NewMail,
  pageOfMails,
  readMail,
  sendMail,
  sweepMails,
} from './store.ts'
export {
  type EditableMail,
  type EditedWords,
  editedWordsSql,
  listTemplateVersions,
  readEditedWords,
  saveTemplate,
  type TemplateKey,
  type TemplateVersion,
  wordsInForce,
} from './templates.ts'
