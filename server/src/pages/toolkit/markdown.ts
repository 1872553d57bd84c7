import { type Html, html } from '../../kernel/html.ts'
import { lineBreaks } from './text.ts'

/** Link targets that cannot run script. A path is one of this site: browsers read a backslash as a slash. */
const SAFE_TARGET = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i
const INLINE =
  /\*\*(?<strong>[^*]+)\*\*|\*(?<emphasis>[^*\s][^*]*)\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/g
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const BULLET = /^\s{0,3}[-*+]\s+/
const NUMBER = /^\s{0,3}\d{1,3}[.)]\s+/

/**
 * Render a subset of CommonMark 0.31.2 for legal texts: headings, paragraphs, lists, rules, emphasis, code, links.
 * Everything else, including HTML, is escaped. Headings start at h2.
 */
export function markdown(text: string): Html {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
  return html`${blocks.flatMap(splitHeadings).map((block) => html`${blockOf(block)}\n`)}`
}

/** Render plain text as paragraphs with line breaks. */
export function plainText(text: string): Html {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
  return html`${blocks.map((block) => html`<p>${lineBreaks(block.split('\n'))}</p>\n`)}`
}

/** Split a block at its headings, which end with their line. */
function splitHeadings(block: string): string[] {
  const lines = block.split('\n')
  const at = lines.findIndex((line) => HEADING.test(line))
  if (at === -1 || lines.length === 1) return [block]
  const before = lines.slice(0, at).join('\n')
  const after = lines.slice(at + 1).join('\n')
  return [...(before ? [before] : []), lines[at]!, ...(after ? splitHeadings(after) : [])]
}

function blockOf(block: string): Html {
  const lines = block.split('\n')
  const heading = HEADING.exec(lines[0]!)
  if (heading && lines.length === 1) return headingOf(heading[1]!.length, inline(heading[2]!))
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(block)) return html`<hr>`
  if (BULLET.test(lines[0]!)) return html`<ul>${itemsOf(lines, BULLET)}</ul>`
  if (NUMBER.test(lines[0]!)) return html`<ol>${itemsOf(lines, NUMBER)}</ol>`
  return html`<p>${hardBroken(lines)}</p>`
}

function headingOf(level: number, text: Html): Html {
  return level < 3 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`
}

/** A line without a marker continues the previous item. */
function itemsOf(lines: readonly string[], mark: RegExp): Html[] {
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line) || items.length === 0) items.push(line.replace(mark, ''))
    else items.push(`${items.pop()} ${line.trim()}`)
  }
  return items.map((item) => html`<li>${inline(item)}</li>`)
}

function inline(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(html`${text.slice(end, match.index)}`, inlineElement(match))
    end = match.index + match[0].length
  }
  return html`${parts}${text.slice(end)}`
}

function inlineElement({ 0: whole, groups = {} }: RegExpExecArray): Html {
  const { strong, emphasis, code, label, target } = groups
  if (strong) return html`<strong>${strong}</strong>`
  if (emphasis) return html`<em>${emphasis}</em>`
  if (code) return html`<code>${code}</code>`
  return label && target && SAFE_TARGET.test(target) ? html`<a href="${target}">${label}</a>` : html`${whole}`
}

/** A trailing backslash is a line break. */
function hardBroken(lines: readonly string[]): Html {
  const parts = lines.join('\n').split(/\\\n/)
  return lineBreaks(parts.map(inline))
}
