import type { PageEntry } from '../../pages.ts'

export const operatorPages: readonly PageEntry[] = [
  {
    path: '/operators',
    title: 'Operators',
    menu: 'House',
    load: async () => (await import('./operators-page.tsx')).OperatorsPage,
  },
  {
    path: '/password',
    title: 'Your password',
    menu: 'House',
    load: async () => (await import('./password-page.tsx')).PasswordPage,
  },
]
