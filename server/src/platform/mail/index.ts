/** Mails: written in a transaction, delivered by a worker, read by the operator if there is no SMTP server. */
export { composeMail, type MailContent, type MailList, type MailRow } from './compose.ts'
export { type LoadAttachments, mailJobs } from './deliver.ts'
export { type LoadLetterhead, withLetterhead } from './letterhead.ts'
export { type MailSender, readMailSenders, type SavedSender, saveMailSender } from './senders.ts'
export { senderText, smtpProblem, smtpTransport } from './smtp-transport.ts'
export { hasDelivered, mailStats } from './stats.ts'
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
  wordsInForce,
} from './templates.ts'
