import { refuseField } from '../../../kernel/refusal.ts'

const TAG_MAX = 40

/** Normalizes tags for storage: trimmed, unique regardless of case, in alphabetical order. Refuses `validation_failed`. */
export function normalizeTags(typed: readonly string[]): readonly string[] {
  const tags = typed.map((tag) => tag.trim().replaceAll(/\s+/g, ' '))
  const invalid = tags.findIndex((tag) => tag.length === 0 || tag.length > TAG_MAX)
  if (invalid >= 0) {
    refuseField(`tags/${invalid}`, 'out_of_range', `1 to ${TAG_MAX} characters.`, { min: 1, max: TAG_MAX })
  }
  const byCase = new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  return [...byCase.values()].sort((one, other) => one.localeCompare(other, 'en'))
}
