import type { PageEntry } from '../../pages.ts'

export const auditPages: readonly PageEntry[] = [
  {
    path: '/audit-log',
    title: 'Audit log',
    menu: 'House',
    load: async () => (await import('./audit-page.tsx')).AuditPage,
  },
]
