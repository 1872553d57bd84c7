import type { LegalDocument, PublicErrorDetail } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'

export type LegalType = LegalDocument['type']

/** What somebody accepts who becomes a customer, and who buys. The others are there to be read. */
export const ACCEPTED_ON = {
  registering: ['terms_of_use', 'privacy_policy'],
  buying: ['terms_of_use', 'return_policy', 'privacy_policy'],
} as const satisfies Readonly<Record<string, readonly LegalType[]>>

/** A version of a document, and the languages that it was published in. */
export interface LegalVersion {
  readonly id: string
  readonly store_id: string | null
  readonly type: LegalType
  readonly version: string
  readonly effective_at: Date
  readonly published_at: Date
  readonly locales: readonly string[]
}

/** Whether a version holds, will hold, or held until another took its place. */
export type LegalStanding = 'to_come' | 'in_force' | 'replaced'

/** How a version stands among those of its owner: of those whose time has come, the latest of each type is in force. */
export function standingOfVersion(version: LegalVersion, ofOwner: readonly LegalVersion[], now: Date): LegalStanding {
  if (version.effective_at > now) return 'to_come'
  const later = ofOwner.some((each) => each.type === version.type && each.effective_at <= now && isLater(each, version))
  return later ? 'replaced' : 'in_force'
}

function isLater(one: LegalVersion, other: LegalVersion): boolean {
  const moments = (each: LegalVersion) => [each.effective_at.getTime(), each.published_at.getTime()] as const
  const [[effective, published], [otherEffective, otherPublished]] = [moments(one), moments(other)]
  if (effective !== otherEffective) return effective > otherEffective
  if (published !== otherPublished) return published > otherPublished
  return one.id > other.id
}

/** Which document, and which version of it. */
export interface AcceptedDocument {
  readonly type: string
  readonly version: string
}

/**
 * The language in which a text is shown that exists in these: the best for the reader, else the site's own, else English,
 * else the first.
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

/** The language that a reader asked for first, as an answer names it; `served` where they asked for none. */
export function requestedLocale(languages: readonly string[], served: string): string {
  return languages.find((each) => LOCALE_TAG.test(each)) ?? served
}

/**
 * What is wrong with what somebody says to have accepted: a version that is not in force, or none of a document that has to
 * be accepted. Where nothing is published, nothing is asked for.
 */
export function faultsOfAcceptance(
  accepted: readonly AcceptedDocument[],
  inForce: readonly AcceptedDocument[],
  demanded: readonly string[],
): PublicErrorDetail[] {
  const unknown = accepted.flatMap(({ type, version }, index) => {
    const current = inForce.filter((each) => each.type === type).map((each) => each.version)
    if (current.includes(version)) return []
    if (current.length === 0)
      return [fault(`/acceptedDocuments/${index}/type`, 'unknown', 'No such document is in force.')]
    const message = `The version in force is ${current.join(', ')}.`
    return [fault(`/acceptedDocuments/${index}/version`, 'not_in_force', message)]
  })
  if (unknown.length > 0) return unknown
  const missing = inForce.filter(
    ({ type, version }) =>
      demanded.includes(type) && !accepted.some((each) => each.type === type && each.version === version),
  )
  return missing.map(({ type, version }) =>
    fault('/acceptedDocuments', 'required', `Version ${version} of ${type} has to be accepted.`),
  )
}

function fault(pointer: string, code: string, message: string): PublicErrorDetail {
  return { in: 'body', pointer, code, message }
}
