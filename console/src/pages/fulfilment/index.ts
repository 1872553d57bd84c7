import type { PageEntry } from '../../pages.ts'

export const fulfilmentPages: readonly PageEntry[] = [
  {
    path: '/fulfilment',
    title: 'Fulfilment',
    menu: 'Selling',
    load: async () => (await import('./fulfilments-page.tsx')).FulfilmentsPage,
  },
  {
    path: '/licences',
    title: 'Licence keys',
    menu: 'Selling',
    load: async () => (await import('./licences-page.tsx')).LicencesPage,
  },
]
