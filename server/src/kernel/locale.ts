/**
 * The best available locale: each range in the reader's order, first complete, then without its last subtags, compared case
 * insensitively; the fallback if none matches.
 *
 * @see RFC 4647 §3.4 "In the lookup scheme, the language range is progressively truncated from the end"
 */
export function lookUpLocale(languages: readonly string[], available: readonly string[], fallback: string): string {
  return matchLocale(languages, available) ?? fallback
}

/** Like `lookUpLocale`, but `undefined` if none matches, for callers who requested one locale. */
export function matchLocale(languages: readonly string[], available: readonly string[]): string | undefined {
  for (const range of languages) {
    for (const candidate of truncations(range)) {
      const found = available.find((locale) => locale.toLowerCase() === candidate)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** `de-CH-1996` → `de-ch-1996`, `de-ch`, `de`. A single letter or digit is removed with the subtag after it. */
function truncations(range: string): readonly string[] {
  const subtags = range.toLowerCase().split('-')
  const candidates: string[] = []
  while (subtags.length > 0) {
    if (subtags.at(-1)!.length > 1) candidates.push(subtags.join('-'))
    subtags.pop()
  }
  return candidates
}
