import { Type } from 'typebox'
import { type AcceptedDocument, LEGAL_PATH, type LegalHead } from '../../features/storefront/index.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Html, html, type Language, type Texts } from '../toolkit/index.ts'

const texts: Texts<'before' | 'and' | 'after' | 'missing'> = {
  en: { before: 'I have read and accept', and: 'and', after: '.', missing: 'Tick this to go on' },
  de: {
    before: 'Ich habe gelesen und akzeptiere:',
    and: 'und',
    after: '.',
    missing: 'Setze hier einen Haken, um fortzufahren',
  },
}

/** The fields by which documents are accepted: the tick, and which versions stood beside it. */
export const AcceptingFields = {
  accepted: Type.Optional(Type.Literal('yes')),
  documents: Type.Optional(Type.String({ maxLength: 4000 })),
} as const

/** A tick beside the documents, each of which opens in the version that is accepted; `null` where there is nothing to. */
export function acceptingField(
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

/** Which versions a form was shown with: they travel with it unseen, as `terms_of_use=2026 privacy_policy=2`. */
export function shownDocuments(documents: readonly AcceptedDocument[]): string | undefined {
  const pairs = documents.map(({ type, version }) => new URLSearchParams({ [type]: version }).toString())
  return pairs.length > 0 ? pairs.join(' ') : undefined
}

interface Accepting {
  readonly accepted?: 'yes' | undefined
  readonly documents?: string | undefined
}

/** What a form says was accepted: the versions that stood beside the tick, where it is set. Whoever takes it, checks it. */
export function saidToBeAccepted({ accepted, documents = '' }: Accepting): AcceptedDocument[] {
  if (accepted !== 'yes') return []
  const pairs = [...new Set(documents.split(' '))].flatMap((pair) => [...new URLSearchParams(pair)])
  return pairs.map(([type, version]) => ({ type, version }))
}

/**
 * What was accepted. A version that has come into force while the form stood open is shown first.
 *
 * Refusals: `validation_failed`, naming the tick.
 */
export function acceptedWith(form: Accepting, documents: readonly LegalHead[]): AcceptedDocument[] {
  const said = saidToBeAccepted(form)
  const isSaid = ({ type, version }: LegalHead) => said.some((each) => each.type === type && each.version === version)
  if (!documents.every(isSaid)) {
    refuse('validation_failed', {
      details: [{ in: 'body', pointer: '/accepted', code: 'required', message: 'The documents have to be accepted.' }],
    })
  }
  return documents.map(({ type, version }) => ({ type, version }))
}

/** What the tick says where it is missing. */
export function missingTick(language: Language): string {
  return texts[language].missing
}
