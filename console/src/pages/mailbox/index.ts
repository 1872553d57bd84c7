import type { PageEntry } from '../../pages.ts'

export const mailboxPages: readonly PageEntry[] = [
  {
    path: '/mailbox',
    title: 'Mailbox',
    menu: 'House',
    load: async () => (await import('./mailbox-page.tsx')).MailboxPage,
  },
  { path: '/mailbox/:mailId', title: 'Mail', load: async () => (await import('./mail-page.tsx')).MailPage },
]
