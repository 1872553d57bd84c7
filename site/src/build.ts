import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { operations } from '@vitrine/contract'
import { openapiDocument } from '@vitrine/contract/openapi'
import { build } from 'vite'
import { html } from './html.ts'
import { type Assets, type Frame, framed, orderOf } from './layout.ts'
import { type Linked, writtenPage } from './markdown.ts'
import { WRITTEN } from './navigation.ts'
import type { Page } from './page.ts'
import { operationPage } from './reference/operation.ts'
import { objectsPage, referenceIndex, TOPICS, topicPage } from './reference/topics.ts'
import { statesPage } from './states.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const SECTION_TEXT_MAX = 500

export interface SiteOptions {
  /** The folder that the site is written to. It is emptied first. */
  readonly output: string
  /** The absolute URL of the site, with a trailing slash; `null` if it is unknown. */
  readonly url: string | null
}

/** Builds the documentation as static files, whose links work below any path. @returns the pages */
export async function buildSite({ output, url }: SiteOptions): Promise<readonly Page[]> {
  rmSync(output, { recursive: true, force: true })
  const assets = await bundle(output)
  const linked: Linked = { pages: new Map(), files: new Map() }
  const pages = allPages(linked)
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  const frame: Frame = { assets, titles, url }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(output, path)), { recursive: true })
    writeFileSync(join(output, path), text)
  }
  for (const page of pages) write(page.path, framed(page, frame))
  write('404.html', missingPage(frame))
  write('search.json', JSON.stringify(pages.flatMap(searchEntries)))
  write('openapi.json', JSON.stringify(openapiDocument({ serverUrl: 'https://storefront.example' })))
  for (const [path, text] of textFiles(pages, frame)) write(path, text)
  for (const [source, copy] of linked.files) {
    mkdirSync(dirname(join(output, copy)), { recursive: true })
    copyFileSync(join(REPOSITORY, source), join(output, copy))
  }
  return pages
}

function allPages(linked: Linked): Page[] {
  const written = [...WRITTEN.values()].map((page) => writtenPage(page, linked))
  return [
    ...written,
    ...[...linked.pages].map(([source, path]) => writtenPage({ source, path }, null)),
    referenceIndex(),
    objectsPage(),
    statesPage(),
    ...TOPICS.map(topicPage),
    ...TOPICS.flatMap(({ rows }) => rows.map(([id, row]) => operationPage(id, row))),
  ]
}

/** Bundles script and style. Search and "Try it" with the SDK are separate files, loaded when they are used. */
async function bundle(output: string): Promise<Assets> {
  const root = join(import.meta.dirname, 'browser')
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: output,
      emptyOutDir: false,
      manifest: 'assets/manifest.json',
      modulePreload: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { input: join(root, 'site.ts') },
    },
  })
  const manifest = JSON.parse(readFileSync(join(output, 'assets/manifest.json'), 'utf8'))
  const { file, css } = manifest['site.ts'] as { readonly file: string; readonly css: readonly string[] }
  rmSync(join(output, 'assets/manifest.json'))
  return { script: file, style: css[0] ?? '' }
}

interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

function searchEntries({ path, title, sections }: Page): SearchEntry[] {
  return sections.map((section, index) => ({
    id: index === 0 || section.id === '' ? path : `${path}#${section.id}`,
    page: title,
    title: section.title,
    text: section.text.replaceAll(/\s+/g, ' ').slice(0, SECTION_TEXT_MAX),
  }))
}

/** The page for an unknown URL. A host shows it at any path, so its links are relative to the root of the site. */
function missingPage(frame: Frame): string {
  const body = html`<h1 id="not-found">Page not found</h1><p class="lead">There is no page at this address.</p><p><a href="index.html">Quickstart</a> · <a href="reference/index.html">API reference</a></p>`
  const page: Page = {
    path: '404.html',
    title: 'Page not found',
    description: 'There is no page at this address.',
    body,
    sections: [],
    markdown: '',
  }
  const root = frame.url === null ? '/docs/' : new URL(frame.url).pathname
  return framed(page, { ...frame, url: null }).replace(
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" />\n<base href="${root}" />`,
  )
}

/** The files for programs: the pages as text, and a sitemap if the URL is known. */
function textFiles(pages: readonly Page[], { titles, url }: Frame): (readonly [path: string, text: string])[] {
  const order = orderOf(titles)
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const listed = order.flatMap(({ path }) => byPath.get(path) ?? [])
  const lines = listed.map(({ path, title, description }) => `- [${title}](${url ?? ''}${path}): ${description}`)
  const about = `A self-hosted commerce storefront service with ${Object.keys(operations).length} public operations.`
  const head = ['# Vitrine', '', `> ${about}`, '']
  const full = listed.filter(({ markdown }) => markdown !== '').map(({ markdown }) => markdown.trim())
  const map = pages.map(({ path }) => `<url><loc>${url}${path.replace(/(^|\/)index\.html$/, '$1')}</loc></url>`)
  return [
    [
      'llms.txt',
      [
        ...head,
        '## Pages',
        '',
        ...lines,
        '',
        '## Everything in one file',
        '',
        `- [llms-full.txt](${url ?? ''}llms-full.txt)`,
        '',
      ].join('\n'),
    ],
    ['llms-full.txt', `${[...head, ...full].join('\n\n')}\n`],
    ...(url === null
      ? []
      : [
          [
            'sitemap.xml',
            `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${map.join('\n')}\n</urlset>\n`,
          ] as const,
          ['robots.txt', `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n`] as const,
        ]),
  ]
}
