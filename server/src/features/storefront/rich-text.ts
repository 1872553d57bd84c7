import type { PublicErrorDetail } from '@vitrine/contract'

type RichText = { readonly format: 'plain' | 'markdown'; readonly text: string }

/** `<b`, `</b`, `<!--`, `<?php`: what begins a tag, a comment or an instruction in any browser. @see HTML, 13.2.5.6 */
const RAW_HTML = /<[a-z/!?]/i
/** Where a link or a picture of Markdown leads: `](address`, `<address>` is caught above, `[name]: address`. */
const TARGETS = /\]\(\s*<?([^)\s>]*)|^\s{0,3}\[[^\]]+\]:\s*<?(\S+)/gm
const HARMLESS_TARGET = /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i

/**
 * What keeps a text from being shown: Markdown that holds raw HTML, or a link that would run a script. A plain text is
 * shown as it stands, whatever it holds.
 */
export function faultOfRichText({ format, text }: RichText, pointer: string): PublicErrorDetail | null {
  if (format === 'plain') return null
  const refused = (code: string, message: string): PublicErrorDetail => ({ in: 'body', pointer, code, message })
  if (RAW_HTML.test(text)) return refused('raw_html', 'Markdown holds no raw HTML here.')
  const target = [...text.matchAll(TARGETS)].map(([, inline, named]) => inline ?? named ?? '').find(isHarmful)
  return target === undefined
    ? null
    : refused(
        'link_refused',
        `A link leads to http, https, mailto, tel, or a path of ours, not to ${target.slice(0, 100)}`,
      )
}

function isHarmful(target: string): boolean {
  return !HARMLESS_TARGET.test(target)
}
