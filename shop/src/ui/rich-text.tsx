import type { ComponentChildren } from 'preact'

/** Renders a text of the service: plain, or Markdown with headings, lists, links and emphasis. Never HTML. */
export function RichText({ content }: { content: { readonly format: string; readonly text: string } }) {
  const blocks = content.text.split(/\n{2,}/).filter(Boolean)
  if (content.format === 'plain')
    return (
      <>
        {blocks.map((block) => (
          <p>{block}</p>
        ))}
      </>
    )
  return <>{blocks.map(markdownBlock)}</>
}

function markdownBlock(block: string): ComponentChildren {
  const heading = /^(#{1,4})\s+(.*)$/s.exec(block)
  if (heading) {
    const [first = '', ...rest] = heading[2]!.split('\n')
    const Level = heading[1]!.length < 3 ? 'h2' : 'h3'
    return (
      <>
        <Level>{inline(first)}</Level>
        {rest.length > 0 && markdownBlock(rest.join('\n'))}
      </>
    )
  }
  const lines = block.split('\n')
  if (lines.every((line) => /^[-*]\s/.test(line)))
    return (
      <ul>
        {lines.map((line) => (
          <li>{inline(line.slice(2))}</li>
        ))}
      </ul>
    )
  if (lines.every((line) => /^\d+\.\s/.test(line))) {
    return (
      <ol>
        {lines.map((line) => (
          <li>{inline(line.replace(/^\d+\.\s/, ''))}</li>
        ))}
      </ol>
    )
  }
  return <p>{inline(block)}</p>
}

/** A path is one of this shop: with a second slash, or a backslash, browsers would open another host. */
const INLINE = /\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+|\/(?![/\\])[^\s)]*)\)/g

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, strong, emphasis, label, url] = match
    parts.push(text.slice(end, match.index))
    if (strong) parts.push(<strong>{strong}</strong>)
    else if (emphasis) parts.push(<em>{emphasis}</em>)
    else parts.push(<a href={url}>{label}</a>)
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}
