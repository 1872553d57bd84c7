import type { PageEntry } from '../../pages.ts'

export const afterSalesPages: readonly PageEntry[] = [
  {
    path: '/cancellations',
    title: 'Cancellations',
    menu: 'Selling',
    load: async () => (await import('./cancellations-page.tsx')).CancellationsPage,
  },
  {
    path: '/after-sales',
    title: 'After the sale',
    menu: 'Selling',
    load: async () => (await import('./requests-page.tsx')).RequestsPage,
  },
  {
    path: '/after-sales/:afterSalesId',
    title: 'Request',
    load: async () => (await import('./request-page.tsx')).RequestPage,
  },
]
