import { type Html, html } from './html.ts'
import { GROUPS, LATER_GROUPS, REFERENCE_PAGES } from './navigation.ts'
import { type Page, relativeLink } from './page.ts'
import { TOPICS } from './reference/topics.ts'

/** One entry of the menu. */
interface Entry {
  readonly path: string
  readonly label: string
}

/** A part of the menu. A topic of the reference is folded unless one of its pages is shown. */
interface Part {
  readonly title: string
  readonly entries: readonly Entry[]
  readonly isFolded: boolean
}

/** The file names of the built script and style, with a hash of their content. */
export interface Assets {
  readonly script: string
  readonly style: string
}

export interface Frame {
  readonly assets: Assets
  /** Titles by path, for pages without a label. */
  readonly titles: ReadonlyMap<string, string>
  /** The absolute URL of the site, or `null`. */
  readonly url: string | null
}

/** The content security policy of every page, also if the host sends no header. "Try it" may call any server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  'connect-src http: https:',
  "base-uri 'self'",
  "form-action 'none'",
].join('; ')

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%23245c43'/%3E%3Cpath d='M8 9l8 15 8-15' fill='none' stroke='%23fff' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

function menu(titles: Frame['titles']): readonly Part[] {
  const written = ({ title, pages }: (typeof GROUPS)[number]): Part => ({
    title,
    isFolded: false,
    entries: pages.map(({ path, label }) => ({ path, label: label ?? titles.get(path) ?? path })),
  })
  const reference: Part = {
    title: 'API reference',
    isFolded: false,
    entries: [
      { path: 'reference/index.html', label: 'All operations' },
      { path: 'reference/objects.html', label: 'Common objects' },
      { path: 'reference/states.html', label: 'States' },
      ...REFERENCE_PAGES.map(({ path, label = path }) => ({ path, label })),
    ],
  }
  const topics = TOPICS.map(({ name, path, rows }) => ({
    title: name,
    isFolded: true,
    entries: [{ path, label: 'Overview' }, ...rows.map(([id]) => ({ path: `reference/${id}.html`, label: id }))],
  }))
  return [...GROUPS.map(written), reference, ...topics, ...LATER_GROUPS.map(written)]
}

/** The pages in the order of the menu. */
export function orderOf(titles: Frame['titles']): readonly Entry[] {
  return menu(titles).flatMap(({ entries }) => entries)
}

/** The HTML document of a page, with header and menu. */
export function framed(page: Page, frame: Frame): string {
  const { path, title, description, body, aside } = page
  const to = (target: string) => relativeLink(path, target)
  const { assets, titles, url } = frame
  const isWide = aside !== undefined
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${description}" />
<title>${title} · Vitrine docs</title>
${url !== null && html`<link rel="canonical" href="${url}${path.replace(/(^|\/)index\.html$/, '$1')}" />`}
<link rel="icon" href="${ICON}" />
<link rel="stylesheet" href="${to(assets.style)}" />
<script type="module" src="${to(assets.script)}"></script>
</head>
<body data-root="${to('')}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="${to('index.html')}">Vitrine <span>docs</span></a>
<button class="search" type="button" data-search hidden>Search <kbd>/</kbd></button>
<a class="menu-link" href="#menu">Menu</a></header>
<div class="columns${isWide && ' wide'}">
<nav id="menu" aria-label="Pages"><a class="close" href="#main">Close the menu</a>${menu(titles).map((part) => menuPart(part, path))}</nav>
<main id="main"${isWide && html` class="operation"`}><article>${body}</article>${isWide && html`<aside aria-label="Examples">${aside}</aside>`}${turning(path, titles)}</main>
${!isWide && outline(page)}
</div>
</body>
</html>
`.text
}

function menuPart({ title, entries, isFolded }: Part, path: string): Html {
  const links = html`<ul>${entries.map(
    (entry) =>
      html`<li><a href="${relativeLink(path, entry.path)}"${entry.path === path && html` aria-current="page"`}>${entry.label}</a></li>`,
  )}</ul>`
  if (!isFolded) return html`<p class="group">${title}</p>${links}`
  const isOpen = entries.some((entry) => entry.path === path)
  return html`<details${isOpen && html` open`}><summary>${title}</summary>${links}</details>`
}

function outline({ sections }: Page): Html | false {
  const shown = sections.filter(({ depth }) => depth === 2)
  return (
    shown.length > 1 &&
    html`<nav class="outline" aria-label="On this page"><p class="group">On this page</p><ul>${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`
  )
}

/** Links to the page before and the page after. */
function turning(path: string, titles: Frame['titles']): Html {
  const order = orderOf(titles)
  const index = order.findIndex((entry) => entry.path === path)
  const [before, after] = index < 0 ? [] : [order[index - 1], order[index + 1]]
  const labelOf = ({ path: each, label }: Entry) => titles.get(each) ?? label
  return html`<nav class="turning" aria-label="Previous and next">${before && html`<a rel="prev" href="${relativeLink(path, before.path)}"><small>Previous</small>${labelOf(before)}</a>`}${after && html`<a rel="next" href="${relativeLink(path, after.path)}"><small>Next</small>${labelOf(after)}</a>`}</nav>`
}
