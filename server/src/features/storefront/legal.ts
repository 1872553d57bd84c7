import type { LegalDocument } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'
import type { FieldFault } from '../../kernel/refusal.ts'

/** The path of the page that shows a legal document. */
export const LEGAL_PATH = '/legal'

/** The URL of a version of a document by its id, or of the current one by its type, in the language of a mail, an order or a site. */
export function legalUrl(
  pagesUrl: string,
  document: { readonly document: string } | { readonly type: string },
  locale: string,
): string {
  return `${pagesUrl}${LEGAL_PATH}?${new URLSearchParams({ ...document, locale })}`
}

export type LegalType = LegalDocument['type']

/** The document types to accept on registration and at checkout. Others are for information. */
export const ACCEPTED_ON = {
  registering: ['terms_of_use', 'privacy_policy'],
  buying: ['terms_of_use', 'return_policy', 'privacy_policy'],
} as const satisfies Readonly<Record<string, readonly LegalType[]>>

/** A version of a document, and its languages. */
export interface LegalVersion {
  readonly id: string
  readonly store_id: string | null
  readonly type: LegalType
  readonly version: string
  readonly effective_at: Date
  readonly published_at: Date
  readonly locales: readonly string[]
}

/** The state of a version: before it takes effect, in force, or replaced. */
type LegalStanding = 'to_come' | 'in_force' | 'replaced'

/** The state of a version among all versions of its owner. Of each type, the latest effective one is in force. */
export function standingOfVersion(version: LegalVersion, ofOwner: readonly LegalVersion[], now: Date): LegalStanding {
  if (!isEffective(version, now)) return 'to_come'
  const later = ofOwner.some((each) => each.type === version.type && isEffective(each, now) && isLater(each, version))
  return later ? 'replaced' : 'in_force'
}

function isEffective({ effective_at, published_at }: LegalVersion, now: Date): boolean {
  return effective_at <= now || effective_at <= published_at
}

function isLater(one: LegalVersion, other: LegalVersion): boolean {
  const moments = (each: LegalVersion) => [each.effective_at.getTime(), each.published_at.getTime()] as const
  const [[effective, published], [otherEffective, otherPublished]] = [moments(one), moments(other)]
  if (effective !== otherEffective) return effective > otherEffective
  if (published !== otherPublished) return published > otherPublished
  return one.id > other.id
}

export interface AcceptedDocument {
  readonly type: string
  readonly version: string
}

/**
 * The language to serve: the best match for the request, else the site's default, else English, else the first available.
 *
 * @see RFC 4647 §3.4
 */
export function servedLocale(
  languages: readonly string[],
  available: readonly string[],
  preferred: string | null,
): string | undefined {
  return matchLocale([...languages, ...(preferred === null ? [] : [preferred]), 'en'], available) ?? available[0]
}

const LOCALE_TAG = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,5}$/

/** The first requested language, or `served` if none was requested. */
export function requestedLocale(languages: readonly string[], served: string): string {
  return languages.find((each) => LOCALE_TAG.test(each)) ?? served
}

/**
 * Faults of accepted documents: a version that is not in force, or a missing document that must be accepted. If nothing is
 * published, nothing must be accepted.
 */
export function faultsOfAcceptance(
  accepted: readonly AcceptedDocument[],
  inForce: readonly AcceptedDocument[],
  required: readonly string[],
): FieldFault[] {
  const unknown = accepted.flatMap(({ type, version }, index) => {
    const current = inForce.filter((each) => each.type === type).map((each) => each.version)
    if (current.includes(version)) return []
    if (current.length === 0)
      return [fault(`acceptedDocuments/${index}/type`, 'unknown', 'No such document is in force.')]
    const message = `The version in force is ${current.join(', ')}.`
    return [fault(`acceptedDocuments/${index}/version`, 'not_in_force', message)]
  })
  if (unknown.length > 0) return unknown
  const missing = inForce.filter(
    ({ type, version }) =>
      required.includes(type) && !accepted.some((each) => each.type === type && each.version === version),
  )
  return missing.map(({ type, version }) =>
    fault('acceptedDocuments', 'required', `Version ${version} of ${type} must be accepted.`),
  )
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message }
}
