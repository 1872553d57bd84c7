import type { PageEntry } from '../../pages.ts'

export const promotionPages: readonly PageEntry[] = [
  {
    path: '/promotions',
    title: 'Promotions',
    menu: 'Catalogue',
    load: async () => (await import('./promotions-page.tsx')).PromotionsPage,
  },
  {
    path: '/promotions/try',
    title: 'Try promotions',
    load: async () => (await import('./try-page.tsx')).TryPage,
  },
  {
    path: '/promotions/new',
    title: 'New promotion',
    load: async () => (await import('./promotion-page.tsx')).NewPromotionPage,
  },
  {
    path: '/promotions/:promotionId',
    title: 'Promotion',
    load: async () => (await import('./promotion-page.tsx')).PromotionPage,
  },
]
