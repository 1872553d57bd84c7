import type { OperatorSearchPreview, OperatorSearchRule, OperatorShippedSynonyms } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { moved } from '../../ui/list/moved.ts'
import type { Synonyms } from './synonym-fields.tsx'

/** The edits of a rule before they are saved. */
export interface Draft {
  readonly language: string | null
  readonly pins: readonly string[]
  readonly hidden: readonly string[]
  readonly redirect: string | null
  readonly synonyms: readonly Synonyms[]
  /** Shipped synonyms to switch off or on. */
  readonly shipped: readonly OperatorShippedSynonyms[]
}

export type Product = OperatorSearchPreview['edited']['items'][number]

/** The draft of the saved rule, without edits. */
export function savedDraft(rule: OperatorSearchRule | null): Draft {
  const { language = null, pins = [], hidden = [], redirect = null } = rule ?? {}
  return { language, pins, hidden, redirect, synonyms: [], shipped: [] }
}

export function isChanged(draft: Draft, rule: OperatorSearchRule | null): boolean {
  return JSON.stringify(draft) !== JSON.stringify(savedDraft(rule))
}

export const pinned = (draft: Draft, id: string): Draft => ({
  ...draft,
  pins: [...draft.pins, id],
  hidden: draft.hidden.filter((each) => each !== id),
})

export const hidden = (draft: Draft, id: string): Draft => ({
  ...draft,
  pins: draft.pins.filter((each) => each !== id),
  hidden: [...draft.hidden, id],
})

/** Neither pinned nor hidden. */
export const released = (draft: Draft, id: string): Draft => ({
  ...draft,
  pins: draft.pins.filter((each) => each !== id),
  hidden: draft.hidden.filter((each) => each !== id),
})

/** Switches a shipped synonym. Switching it again removes the edit. */
export function switched(draft: Draft, synonyms: OperatorShippedSynonyms): Draft {
  const isSame = (each: OperatorShippedSynonyms) =>
    each.language === synonyms.language && each.words[0] === synonyms.words[0]
  const others = draft.shipped.filter((each) => !isSame(each))
  const isBack = others.length < draft.shipped.length
  return { ...draft, shipped: isBack ? others : [...others, { ...synonyms, on: !synonyms.on }] }
}

/** Moves a pinned product up or down by one. */
export function movedPin(draft: Draft, id: string, by: -1 | 1): Draft {
  const at = draft.pins.indexOf(id)
  return { ...draft, pins: moved(draft.pins, at, at + by) }
}

function ruleOf(q: string, { language, pins, hidden: left, redirect }: Draft) {
  return { query: q, language, pins: [...pins], hidden: [...left], redirect }
}

const shippedOf = ({ shipped }: Draft) => shipped.map(({ language, words, on }) => ({ language, word: words[0]!, on }))

const synonymsOf = ({ synonyms }: Draft) => synonyms.map((each) => ({ ...each, words: [...each.words] }))

/** Previews the result of a query. Without a draft, the saved rule applies. */
export function preview(q: string, locale: string, draft: Draft | null): Promise<OperatorSearchPreview> {
  return call('previewSearch', {
    body: {
      q,
      ...(locale && { locale }),
      ...(draft && {
        rule: ruleOf(q, draft),
        ...(draft.synonyms.length > 0 && { synonyms: synonymsOf(draft) }),
        ...(draft.shipped.length > 0 && { shipped: shippedOf(draft) }),
      }),
    },
  })
}

/** What is not saved yet, and the rule as it was last saved. */
interface Unsaved {
  readonly draft: Draft
  readonly saved: OperatorSearchRule | null
}

/** Saves the rule, or deletes it if it is empty, and saves the synonyms. After each step, `onStep` gets what is left. */
export async function save(q: string, { draft, saved }: Unsaved, onStep: (left: Unsaved) => void): Promise<void> {
  let left: Unsaved = { draft, saved }
  const step = (next: Partial<Unsaved>) => {
    left = { ...left, ...next }
    onStep(left)
  }
  if (isChanged({ ...draft, synonyms: [], shipped: [] }, saved)) {
    const current = await saveRule(q, left, () => step({}))
    if (current !== saved) step({ saved: current })
  }
  for (const body of synonymsOf(draft)) {
    await call('createSearchSynonyms', { body })
    step({ draft: { ...left.draft, synonyms: left.draft.synonyms.slice(1) } })
  }
  for (const { on, ...name } of shippedOf(draft)) {
    await call('switchShippedSynonyms', { body: { on, names: [name] } })
    step({ draft: { ...left.draft, shipped: left.draft.shipped.slice(1) } })
  }
}

/** Saves the rule as edited and returns it, or deletes it if it is empty. A rule in another language replaces the saved one. */
async function saveRule(q: string, { draft, saved }: Unsaved, onSaved: () => void): Promise<OperatorSearchRule | null> {
  const rule = ruleOf(q, draft)
  const isEmpty = rule.pins.length + rule.hidden.length === 0 && rule.redirect === null
  const isMoved = saved !== null && saved.language !== draft.language
  const expectedVersion = saved?.version ?? 0
  const current = isEmpty
    ? null
    : await call('saveSearchRule', { body: { ...rule, ...(!isMoved && { expectedVersion }) } })
  if (saved === null || !(isEmpty || isMoved)) return current
  // If this fails, another try also saves the rule of the other language again, with the same content.
  if (current) onSaved()
  await call('deleteSearchRule', { params: { ruleId: saved.id }, query: { expectedVersion } })
  return current
}
