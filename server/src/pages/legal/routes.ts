import { LEGAL_DOCUMENT_TYPES, type LegalDocument } from '@vitrine/contract'
import { Type } from 'typebox'
import { findLegalDocument, LEGAL_PATH } from '../../features/storefront/index.ts'
import { refuse } from '../../kernel/refusal.ts'
import { html, type Language, markdown, type PageRoute, pageRead, plainText, type Texts } from '../toolkit/index.ts'

const texts: Texts<'version' | 'since' | 'language'> = {
  en: { version: 'Version', since: 'in force since', language: 'This text has not been published in English.' },
  de: { version: 'Fassung', since: 'gültig seit', language: 'Dieser Text ist nicht auf Deutsch veröffentlicht.' },
}

/** Either the one that is in force, by its type, or a published version, by its id. */
const Wanted = Type.Object(
  {
    type: Type.Optional(Type.Enum([...LEGAL_DOCUMENT_TYPES])),
    document: Type.Optional(Type.String({ pattern: '^leg_[0-7][0-9a-hjkmnp-tv-z]{25}$' })),
  },
  { additionalProperties: false },
)

/** Where legal documents are read by people. What they accept is a version, and its address shows that version for good. */
export function legalPages(): PageRoute[] {
  return [
    pageRead({
      path: LEGAL_PATH,
      query: Wanted,
      async show({ query: { type, document: id } }, { reader, now, language }) {
        const wanted = id !== undefined ? { id } : type !== undefined ? { type } : refuse('not_found')
        const document = await findLegalDocument(reader, wanted, { now, languages: [language] })
        if (!document) refuse('not_found')
        return { kind: 'page', width: 'wide', title: document.title, main: shown(document, language) }
      },
    }),
  ]
}

function shown({ title, version, effectiveAt, content, locale, fallback }: LegalDocument, language: Language) {
  const words = texts[language]
  const since = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(effectiveAt))
  const text = content.format === 'markdown' ? markdown(content.text) : plainText(content.text)
  return html`${fallback && html`<p class="note">${words.language}</p>`}
<article lang="${locale}">
<h1>${title}</h1>
<p class="lead" lang="${language}">${words.version} ${version}, ${words.since} ${since}</p>
${text}
</article>`
}
