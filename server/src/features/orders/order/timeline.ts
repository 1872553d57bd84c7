import type { Order as OrderResource } from '@vitrine/contract'
import { type Saying, type ShopperTexts, say, textsIn } from '../../../kernel/languages/texts.ts'

type PresentedEntry = OrderResource['timeline'][number]
export type Actor = PresentedEntry['actor']

/** The section of the dictionaries with the texts of a timeline. */
type Section = 'orderTimeline' | 'afterSalesTimeline'

/** An entry of a timeline: a code with its facts, or only a text if an earlier version stored no facts. */
export type TimelineEntry<Of extends Section> = { readonly at: Date; readonly actor: Actor } & (
  | Saying<ShopperTexts[Of]>
  | { readonly code: string; readonly text: string; readonly facts?: undefined }
)

/** An entry as it is stored. The English text is for the previous version, which reads it. */
export interface StoredEntry {
  readonly at: string
  readonly actor: Actor
  readonly code: string
  readonly text: string
  readonly facts?: object | null
}

/** Presents a timeline in the language of a locale. */
export function presentTimeline<Of extends Section>(
  section: Of,
  timeline: readonly TimelineEntry<Of>[],
  locale: string,
): PresentedEntry[] {
  return timeline.map((entry) => {
    const { at, code, actor } = entry
    return { at: at.toISOString(), code: String(code), text: textOf(section, entry, locale), actor }
  })
}

/** The stored form of an entry. */
export function storedEntry<Of extends Section>(section: Of, entry: TimelineEntry<Of>): StoredEntry {
  const { at, actor, code, facts } = entry
  return {
    at: at.toISOString(),
    actor,
    code: String(code),
    text: textOf(section, entry, 'en'),
    ...(typeof facts === 'object' && { facts }),
  }
}

/** Functions that read the facts of entries that an earlier version stored only as English text, by code. */
export type EarlierFacts<Of extends Section> = {
  readonly [Code in keyof ShopperTexts[Of]]?: (text: string) => object | null
}

/** Maps a stored entry, also one of an earlier version. */
export function timelineEntry<Of extends Section>(
  section: Of,
  { at, actor, code, text, facts }: StoredEntry,
  earlier: EarlierFacts<Of>,
): TimelineEntry<Of> {
  const common = { at: new Date(at), actor, code }
  const sentence: unknown = textsIn('en')[section][code as keyof ShopperTexts[Of]]
  if (typeof sentence === 'string') return common as TimelineEntry<Of>
  const known = facts ?? earlier[code as keyof ShopperTexts[Of]]?.(text) ?? null
  return (
    known === null || sentence === undefined ? { ...common, text } : { ...common, facts: known }
  ) as TimelineEntry<Of>
}

function textOf<Of extends Section>(section: Of, entry: TimelineEntry<Of>, locale: string): string {
  return 'text' in entry ? entry.text : say<ShopperTexts[Of]>(textsIn(locale)[section], entry)
}

const units = (text: string) => {
  const [, count] = /^(\d+) units? (?:was|were) /.exec(text) ?? []
  return count === undefined ? null : { units: Number(count) }
}

/** The facts in the English texts of earlier versions. */
export const EARLIER_ORDER_FACTS: EarlierFacts<'orderTimeline'> = {
  parcel_dispatched: (text) => {
    const counted = units(text)
    return counted && { ...counted, carrier: /handed over to (.+)\.$/.exec(text)?.[1] ?? null }
  },
  parcel_delivered: units,
  parcel_failed: units,
  units_canceled: units,
  units_returned: units,
  held: (text) => ({ reason: text === textsIn('en').orderTimeline.held({ reason: null }) ? null : text }),
  refund_begun: (text) => ({ isRetry: text.endsWith(' again.') }),
}
