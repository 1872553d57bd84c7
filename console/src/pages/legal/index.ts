import type { PageEntry } from '../../pages.ts'

export const legalPages: readonly PageEntry[] = [
  {
    path: '/legal',
    title: 'Legal documents',
    menu: 'Site',
    load: async () => (await import('./legal-page.tsx')).LegalPage,
  },
  {
    path: '/legal/publish',
    title: 'Publish a document',
    load: async () => (await import('./publish-page.tsx')).PublishPage,
  },
  {
    path: '/legal/:documentId',
    title: 'Legal document',
    load: async () => (await import('./document-page.tsx')).DocumentPage,
  },
]
