import { LEGAL_DOCUMENT_TYPES, type LegalDocument } from '@vitrine/contract'
import { Type } from 'typebox'
import { findLegalDocument, LEGAL_PATH, readTimeZone } from '../../features/storefront/index.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { refuse } from '../../kernel/refusal.ts'
import { html, type Language, markdown, type PageRoute, pageRead, plainText, type Texts } from '../toolkit/index.ts'

const texts: Texts<'version' | 'since' | 'language'> = {
  en: { version: 'Version', since: 'effective from', language: 'This document is not available in English.' },
  de: { version: 'Fassung', since: 'gültig seit', language: 'Dieses Dokument ist nicht auf Deutsch verfügbar.' },
}

/** A published version by id, or the current one by type. */
const DocumentQuery = Type.Object(
  {
    type: Type.Optional(Type.Enum([...LEGAL_DOCUMENT_TYPES])),
    document: Type.Optional(Type.String({ pattern: '^leg_[0-7][0-9a-hjkmnp-tv-z]{25}$' })),
  },
  { additionalProperties: false },
)

/** Legal documents. The URL of an accepted version always shows that version. */
export function legalPages(): PageRoute[] {
  return [
    pageRead({
      path: LEGAL_PATH,
      query: DocumentQuery,
      async show({ query: { type, document: id } }, { reader, now, language }) {
        const key = id !== undefined ? { id } : type !== undefined ? { type } : refuse('not_found')
        const { document, storeId } =
          (await findLegalDocument(reader, key, { now, languages: [language] })) ?? refuse('not_found')
        const stores = storeId === null ? [] : [storeId]
        const main = documentView(document, language, await readTimeZone(reader, stores))
        return { kind: 'page', width: 'wide', title: document.title, main, stores }
      },
    }),
  ]
}

function documentView(
  { title, version, effectiveAt, content, locale, fallback }: LegalDocument,
  language: Language,
  timeZone: string,
) {
  const words = texts[language]
  const text = content.format === 'markdown' ? markdown(content.text) : plainText(content.text)
  return html`${fallback && html`<p class="note">${words.language}</p>`}
<article lang="${locale}">
<h1>${title}</h1>
<p class="lead" lang="${language}">${words.version} ${version}, ${words.since} ${formatDate(language, effectiveAt, timeZone)}</p>
${text}
</article>`
}
