import type { RichText } from '@vitrine/contract'
import type { ComponentChildren } from 'preact'

/** Safe link targets: nothing that a browser would execute. A path is one of this site: browsers read a backslash as a slash. */
const HARMLESS_TARGET = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i
const INLINE =
  /\*\*(?<strong>[^*]+)\*\*|\*(?<emphasis>[^*\s][^*]*)\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/g
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const BULLET = /^\s{0,3}[-*+]\s+/
const NUMBER = /^\s{0,3}\d{1,3}[.)]\s+/
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/

/** Renders a text as the hosted pages do: a subset of Markdown, or plain lines. */
export function RichTextView({ content: { format, text } }: { readonly content: RichText }) {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
  if (format === 'plain') {
    return (
      <>
        {blocks.map((block, index) => (
          <p key={`${index}`} class="preserve-lines">
            {block}
          </p>
        ))}
      </>
    )
  }
  return (
    <>
      {blocks.flatMap(splitHeadings).map((block, index) => (
        <Block key={`${index}`} block={block} />
      ))}
    </>
  )
}

/** A heading ends with its line, even without an empty line after it. */
function splitHeadings(block: string): string[] {
  const lines = block.split('\n')
  const at = lines.findIndex((line) => HEADING.test(line))
  if (at === -1 || lines.length === 1) return [block]
  const before = lines.slice(0, at).join('\n')
  const after = lines.slice(at + 1).join('\n')
  return [...(before ? [before] : []), lines[at] ?? '', ...(after ? splitHeadings(after) : [])]
}

function Block({ block }: { readonly block: string }) {
  const lines = block.split('\n')
  const first = lines[0] ?? ''
  const heading = HEADING.exec(first)
  if (heading && lines.length === 1) {
    const text = inline(heading[2] ?? '')
    return (heading[1] ?? '').length < 3 ? <h2>{text}</h2> : <h3>{text}</h3>
  }
  if (RULE.test(block)) return <hr />
  if (BULLET.test(first)) return <ul>{itemsOf(lines, BULLET)}</ul>
  if (NUMBER.test(first)) return <ol>{itemsOf(lines, NUMBER)}</ol>
  return <p>{inline(block)}</p>
}

/** A line without a list mark continues the previous item. */
function itemsOf(lines: readonly string[], mark: RegExp): ComponentChildren[] {
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line) || items.length === 0) items.push(line.replace(mark, ''))
    else items.push(`${items.pop()} ${line.trim()}`)
  }
  return items.map((item, index) => <li key={`${index}`}>{inline(item)}</li>)
}

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index), emphasized(match))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function emphasized({ 0: whole, groups = {} }: RegExpExecArray): ComponentChildren {
  const { strong, emphasis, code, label, target } = groups
  if (strong) return <strong>{strong}</strong>
  if (emphasis) return <em>{emphasis}</em>
  if (code) return <code>{code}</code>
  if (!label || !target || !HARMLESS_TARGET.test(target)) return whole
  return (
    <a href={target} target="_blank" rel="noreferrer">
      {label}
    </a>
  )
}
