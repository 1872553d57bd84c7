import type { LocalizedText } from './promotion.ts'

/** The text for a locale: its own, then that of each shorter tag (RFC 4647 §3.4), then the first in the order of tags. */
export function textFor(text: LocalizedText, locale: string): string {
  for (let tag = locale; tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = text[tag]
    if (found !== undefined) return found
  }
  return text[Object.keys(text).sort()[0] ?? ''] ?? ''
}
