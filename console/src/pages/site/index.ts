import type { PageEntry } from '../../pages.ts'

export const sitePages: readonly PageEntry[] = [
  { path: '/site', title: 'Site', menu: 'Site', load: async () => (await import('./site-page.tsx')).SitePage },
  {
    path: '/contact',
    title: 'Contact',
    menu: 'Site',
    load: async () => (await import('./contact-page.tsx')).ContactPage,
  },
]
