import type { FieldFault } from '../../kernel/refusal.ts'

type RichText = { readonly format: 'plain' | 'markdown'; readonly text: string }

/** The start of a tag, comment or instruction: `<b`, `</b`, `<!--`, `<?php`. @see HTML, 13.2.5.6 */
const RAW_HTML = /<[a-z/!?]/i
/**
 * The target of a Markdown link or image: `](target` or `[name]: target`, which may be in quotes and lists. `<target>` is caught above.
 */
const TARGETS = /\]\(\s*<?([^)\s>]*)|^(?:[ \t>*+-]|\d{1,9}[.)])*\[(?:\\.|[^\]\\]){1,999}\]:\s*<?(\S+)/gms
/** A second slash makes a path another host. Browsers read a backslash as a slash, and Markdown a character reference as its character. */
const HARMLESS_TARGET = /^(https?:\/\/|mailto:|tel:|\/(?![/\\&])|#)/i

/** The fault of a Markdown text with raw HTML or a link that would run a script. Plain text is escaped, so anything is allowed. */
export function faultOfRichText({ format, text }: RichText, field: string): FieldFault | null {
  if (format === 'plain') return null
  const fault = (code: string, message: string): FieldFault => ({ field, code, message })
  if (RAW_HTML.test(text)) return fault('raw_html', 'Raw HTML is not allowed.')
  const target = [...text.matchAll(TARGETS)].map(([, inline, named]) => inline ?? named ?? '').find(isHarmful)
  return target === undefined
    ? null
    : fault('link_refused', `Links must use http, https, mailto, tel or a path, not ${target.slice(0, 100)}.`)
}

function isHarmful(target: string): boolean {
  return !HARMLESS_TARGET.test(target)
}
