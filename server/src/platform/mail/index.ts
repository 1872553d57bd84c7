/** Mails: written in a transaction, delivered by a worker, read by the operator where there is no SMTP server. */
export { composeMail, type MailContent, type MailList, type MailRow } from './compose.ts'
export { mailJobs } from './deliver.ts'
export type { Letterhead, LoadLetterhead } from './letterhead.ts'
export { smtpTransport } from './smtp-transport.ts'
export { type MailStats, mailStats } from './stats.ts'
export {
  listMails,
  MAIL_RETENTION_DAYS,
  type MailHead,
  type NewMail,
  pageOfMails,
  readMail,
  sendMail,
  sweepMails,
} from './store.ts'
