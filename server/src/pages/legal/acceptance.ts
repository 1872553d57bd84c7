import { Type } from 'typebox'
import { type AcceptedDocument, LEGAL_PATH, type LegalHead } from '../../features/storefront/index.ts'
import { refuseField } from '../../kernel/refusal.ts'
import { type Html, html, type Language, type Texts } from '../toolkit/index.ts'

const texts: Texts<'before' | 'and' | 'after' | 'missing'> = {
  en: { before: 'I have read and accept', and: 'and', after: '.', missing: 'Please accept the terms to continue' },
  de: {
    before: 'Ich habe gelesen und akzeptiere:',
    and: 'und',
    after: '.',
    missing: 'Bitte stimme zu, um fortzufahren',
  },
}

/** Form fields: the checkbox and the document versions shown with it. */
export const AcceptanceFields = {
  accepted: Type.Optional(Type.Literal('yes')),
  documents: Type.Optional(Type.String({ maxLength: 4000 })),
} as const

/** The checkbox with links to the document versions to accept; `null` if there are none. */
export function acceptanceField(
  documents: readonly LegalHead[],
  language: Language,
  link: (path: string, query: Readonly<Record<string, string>>) => string,
): { readonly name: 'accepted'; readonly type: 'checkbox'; readonly label: Html } | null {
  if (documents.length === 0) return null
  const words = texts[language]
  const named = documents.map(
    ({ id, title }, index) =>
      html`${separator(index, documents.length, words.and)}<a href="${link(LEGAL_PATH, { document: id })}" target="_blank">${title}</a>`,
  )
  return { name: 'accepted', type: 'checkbox', label: html`${words.before} ${named}${words.after}` }
}

function separator(index: number, count: number, and: string): string {
  if (index === 0) return ''
  return index === count - 1 ? ` ${and} ` : ', '
}

/** The shown versions as a hidden field, such as `terms_of_use=2026 privacy_policy=2`. */
export function documentVersions(documents: readonly AcceptedDocument[]): string | undefined {
  const pairs = documents.map(({ type, version }) => new URLSearchParams({ [type]: version }).toString())
  return pairs.length > 0 ? pairs.join(' ') : undefined
}

interface AcceptanceInput {
  readonly accepted?: 'yes' | undefined
  readonly documents?: string | undefined
}

/** The versions that a form claims were accepted. The caller checks them. */
export function acceptedIn({ accepted, documents = '' }: AcceptanceInput): AcceptedDocument[] {
  if (accepted !== 'yes') return []
  const pairs = [...new Set(documents.split(' '))].flatMap((pair) => [...new URLSearchParams(pair)])
  return pairs.map(([type, version]) => ({ type, version }))
}

/**
 * Check that the current versions were accepted. Refuses if a new version took effect after the form was rendered.
 *
 * Refusals: `validation_failed` for `accepted`.
 */
export function assertAccepted(form: AcceptanceInput, documents: readonly LegalHead[]): AcceptedDocument[] {
  const accepted = acceptedIn(form)
  const isAccepted = ({ type, version }: LegalHead) =>
    accepted.some((each) => each.type === type && each.version === version)
  if (!documents.every(isAccepted)) {
    refuseField('accepted', 'required', 'Accept the documents.')
  }
  return documents.map(({ type, version }) => ({ type, version }))
}

/** The error text of the checkbox. */
export function acceptanceMissing(language: Language): string {
  return texts[language].missing
}
