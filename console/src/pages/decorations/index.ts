import type { PageEntry } from '../../pages.ts'

export const decorationPages: readonly PageEntry[] = [
  {
    path: '/decorations',
    title: 'Decorations',
    menu: 'Site',
    load: async () => (await import('./decorations-page.tsx')).DecorationsPage,
  },
  {
    path: '/decorations/:storeSlug',
    title: 'Decoration',
    load: async () => (await import('./decoration-page.tsx')).DecorationPage,
  },
]
