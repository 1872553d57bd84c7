/** Mails: written in a transaction, delivered by a worker, read by the operator where there is no SMTP server. */
export { composeMail, type MailList, type MailRow, type MailWords } from './compose-mail.ts'
export { mailJobs } from './deliver-mail.ts'
export { type MailFigures, mailFigures } from './mail-figures.ts'
export {
  listMails,
  MAIL_RETENTION_DAYS,
  type MailHead,
  type NewMail,
  pageOfMails,
  readMail,
  sendMail,
  sweepMails,
} from './mail-store.ts'
export { smtpTransport } from './smtp-transport.ts'
