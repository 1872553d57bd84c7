import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { operations, type RefusalCode, refusals } from '@vitrine/contract'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { codeBlock } from './highlight.ts'
import { anchorOf, escaped, Html } from './html.ts'
import { WRITTEN } from './navigation.ts'
import { type Heading, type Page, relativeLink, type Section } from './page.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const OPENAPI = 'docs/reference/openapi.json'

/** A Markdown file, and its path on the site. */
export interface Source {
  readonly source: string
  readonly path: string
}

/** The link targets that are not in the menu, by their file in the repository. */
export interface Linked {
  /** Pages, such as decisions, with their path on the site. */
  readonly pages: Map<string, string>
  /** Other files, with the path of their copy. */
  readonly files: Map<string, string>
}

/** Makes a page of a Markdown file of the repository. Link targets that are not in the menu are added to `linked`. */
export function writtenPage({ source, path }: Source, linked: Linked | null): Page {
  const markdown = readFileSync(join(REPOSITORY, source), 'utf8')
  const { html, sections } = rendered(markdown, { source, path }, linked)
  const [{ title } = { title: source }] = sections
  return { path, title, description: firstSentence(markdown), body: html, sections, markdown }
}

/** Renders Markdown with the links of the site, and an anchor for each heading. */
export function rendered(markdown: string, place: Source, linked: Linked | null) {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(markdown)
  const sections = sectionsOf(tokens)
  const ids = sections.map(({ id }) => id)
  marked.use({ renderer: rendererFor(place, linked, ids) })
  return { html: new Html(marked.parser(tokens)), sections }
}

function rendererFor({ source, path }: Source, linked: Linked | null, ids: string[]): RendererObject {
  return {
    heading({ tokens, depth }: Tokens.Heading) {
      const id = ids.shift() ?? ''
      const text = this.parser.parseInline(tokens)
      const link = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
      return `<h${depth} id="${id}">${text}${link}</h${depth}>\n`
    },
    code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, lang.split(/\s/)[0]).text,
    codespan({ text }: Tokens.Codespan) {
      const target = linkOfName(text)
      const code = `<code>${escaped(text)}</code>`
      return target === null ? code : `<a href="${relativeLink(path, target)}">${code}</a>`
    },
    link({ href, tokens }: Tokens.Link) {
      // Links cannot be nested.
      const inner = this.parser.parseInline(tokens).replaceAll(/<\/?a\b[^>]*>/g, '')
      const target = targetOf(href, { source, path }, linked)
      return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`
    },
    table({ header, rows }: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
      const isTitled = header.some(({ text }) => text !== '')
      const head = isTitled ? `<thead><tr>${cells(header, 'th').replaceAll('<th></th>', '<td></td>')}</tr></thead>` : ''
      const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>`
    },
  }
}

/** The page of a name in code, if it is an operation or a refusal. */
export function linkOfName(name: string): string | null {
  if (Object.hasOwn(operations, name)) return `reference/${name}.html`
  if (Object.hasOwn(refusals, name as RefusalCode)) return `reference/refusals.html#${name}`
  return null
}

/** The target of a Markdown link on the site. `null`: no link, because the page with the link is not in the menu itself. */
function targetOf(href: string, { source, path }: Source, linked: Linked | null): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(source), file).replace(/\/$/, '')
  const page = WRITTEN.get(target) ?? WRITTEN.get(`${target}/README.md`)
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (page) return relativeLink(path, page.path) + suffix
  if (target === OPENAPI) return relativeLink(path, 'openapi.json')
  if (linked === null) return null
  const absolute = join(REPOSITORY, target)
  if (!existsSync(absolute)) throw new Error(`${source} links to ${href}, which does not exist.`)
  if (statSync(absolute).isDirectory()) throw new Error(`${source} links to the folder ${href}, which is not a page.`)
  if (target.endsWith('.md')) {
    const more = `more/${target.replace(/\.md$/, '.html')}`
    linked.pages.set(target, more)
    return relativeLink(path, more) + suffix
  }
  // A host must not run a file or guess its type: every other file is copied as text.
  const copy = target.endsWith('.json') ? `files/${target}` : `files/${target}.txt`
  linked.files.set(target, copy)
  return relativeLink(path, copy)
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: (Heading & { text: string })[] = []
  const taken = new Map<string, number>()
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plain(token.tokens ?? [])
      const anchor = anchorOf(title)
      const count = taken.get(anchor) ?? 0
      taken.set(anchor, count + 1)
      sections.push({ depth: token.depth, id: count === 0 ? anchor : `${anchor}-${count}`, title, text: '' })
    } else {
      const last = sections.at(-1)
      if (last) last.text = `${last.text} ${plainOf(token)}`.trim()
    }
  }
  return sections
}

/** The text of a token, without Markdown. */
function plainOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => plain(tokens))).join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => plain(tokens)).join(' ')
  if ('tokens' in token && token.tokens) return plain(token.tokens)
  return 'text' in token ? String(token.text) : ''
}

const plain = (tokens: readonly Token[]): string => tokens.map(plainOf).join('')

/** The first sentence after the title, as plain text. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n')[1] ?? ''
  const text = plain(new Marked().lexer(paragraph)).replaceAll(/\s+/g, ' ').trim()
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text
}
