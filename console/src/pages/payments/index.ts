import type { PageEntry } from '../../pages.ts'

export const paymentPages: readonly PageEntry[] = [
  {
    path: '/payments',
    title: 'Payments',
    menu: 'Selling',
    load: async () => (await import('./payments-page.tsx')).PaymentsPage,
  },
  {
    path: '/payments/:paymentId',
    title: 'Payment',
    load: async () => (await import('./payment-page.tsx')).PaymentPage,
  },
]
