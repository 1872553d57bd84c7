import type {
  ContactChannelInput,
  DecorationContent,
  LegalPublication,
} from '../../../server/src/features/storefront/index.ts'
import {
  publishDecorationDraft,
  publishLegalDocument,
  saveContactChannels,
  saveDecorationDraft,
  saveSiteSettings,
} from '../../../server/src/features/storefront/index.ts'
import type { World } from '../world.ts'

/** A version of the terms, in English. */
export const TERMS: LegalPublication = {
  type: 'terms_of_use',
  version: '2026-03-01',
  locale: 'en',
  title: 'Terms of use',
  content: { format: 'markdown', text: '# Terms\n\nBe kind to each other.' },
}

/** The decoration of a store: a hero, and two columns. */
export const LOOK: DecorationContent = {
  theme: {
    primaryColor: '#2f5d50',
    accentColor: '#d98e04',
    backgroundColor: '#ffffff',
    textColor: '#1c1c1c',
    font: 'serif',
    cornerRadius: 6,
  },
  pages: {
    en: [
      {
        slug: 'home',
        title: 'Welcome',
        blocks: [
          { id: 'hero', type: 'hero', props: { heading: 'Thrown by hand', action: { label: 'See all', url: '/all' } } },
          {
            id: 'columns',
            type: 'columns',
            props: { columns: 2 },
            children: [
              { id: 'text', type: 'rich_text', props: { content: { format: 'markdown', text: 'Fired **twice**.' } } },
              { id: 'line', type: 'divider', props: { style: 'line' } },
            ],
          },
        ],
      },
    ],
  },
}

/** Operator actions on the site. Each takes effect at once. */
export function siteOf(world: World) {
  const { database, clock, ids } = world
  const done = async <Result>(
    work: (tx: Parameters<typeof saveDecorationDraft>[0]) => Promise<Result>,
  ): Promise<Result> => {
    const result = await database.transaction(work)
    await world.refresh()
    return result
  }
  return {
    publish: (more: Partial<LegalPublication> = {}, when: { storeId?: string; effectiveAt?: Date } = {}) =>
      done((tx) => publishLegalDocument(tx, { ...TERMS, ...more }, { storeId: null, ...when, ids, now: clock.now() })),
    settings: (settings: Parameters<typeof saveSiteSettings>[1]) =>
      done((tx) => saveSiteSettings(tx, settings, clock.now())),
    contact: (locale: string, channels: readonly ContactChannelInput[]) =>
      done(async (tx) => saveContactChannels(tx, { locale, channels }, clock.now())),
    draft: (storeId: string, content: DecorationContent = LOOK, expectedVersion?: number) =>
      done((tx) => saveDecorationDraft(tx, storeId, content, { expectedVersion, now: clock.now() })),
    publishDecorationDraft: (storeId: string) =>
      done((tx) => publishDecorationDraft(tx, storeId, { now: clock.now() })),
  }
}
