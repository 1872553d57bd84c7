import { listVisibleStores } from '../../features/catalog/index.ts'
import { matchLocale } from '../../kernel/locale.ts'
import { type Html, html, nothing, type PageRoute, pageRead, type Texts } from '../toolkit/index.ts'

const texts: Texts<'title' | 'lead' | 'none'> = {
  en: {
    title: 'Our shops',
    lead: 'Checkout, sign-in and legal information for these shops are on this site.',
    none: 'There are no shops here yet.',
  },
  de: {
    title: 'Unsere Shops',
    lead: 'Auf dieser Seite findest du Kasse, Anmeldung und rechtliche Informationen dieser Shops.',
    none: 'Hier gibt es noch keine Shops.',
  },
}

/** The start page: the open stores, with their websites. */
export function startPages(): PageRoute[] {
  return [
    pageRead({
      path: '/',
      query: nothing,
      async show(_input, { reader, language, publicUrl }) {
        const words = texts[language]
        const stores = await listVisibleStores(reader, { storeId: null })
        const cards = stores.map(({ names, logo, contact, locales, slug }): StoreCard => {
          const name = names[matchLocale([language, ...locales], Object.keys(names)) ?? ''] ?? slug
          return { name, logoUrl: logo && new URL(logo.url, publicUrl).href, website: contact.url }
        })
        const main = html`<h1>${words.title}</h1>
<p class="lead">${cards.length > 0 ? words.lead : words.none}</p>
${cards.length > 0 && html`<ul class="shops">${cards.map(cardOf)}</ul>`}`
        return { kind: 'page', title: words.title, main, images: cards.flatMap(({ logoUrl }) => logoUrl ?? []) }
      },
    }),
  ]
}

interface StoreCard {
  readonly name: string
  readonly logoUrl: string | null
  readonly website: string | undefined
}

function cardOf({ name, logoUrl, website }: StoreCard): Html {
  const picture = logoUrl !== null && html`<img src="${logoUrl}" alt="" width="48" height="48">`
  const text = website === undefined ? html`<span>${name}</span>` : html`<a href="${website}">${name}</a>`
  return html`<li>${picture}${text}</li>\n`
}
