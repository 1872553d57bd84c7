import type { PageEntry } from '../../pages.ts'

export const importPages: readonly PageEntry[] = [
  {
    path: '/imports',
    title: 'Imports',
    menu: 'Catalogue',
    load: async () => (await import('./imports-page.tsx')).ImportsPage,
  },
  {
    path: '/imports/:importId',
    title: 'Import',
    load: async () => (await import('./import-page.tsx')).ImportPage,
  },
]
