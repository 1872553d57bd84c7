import type { Html } from './html.ts'

/** A heading of a page, with its anchor. */
export interface Heading {
  readonly depth: number
  readonly id: string
  readonly title: string
}

/** A section in the search index: a heading with the text below it. */
export interface Section extends Heading {
  readonly text: string
}

/** A page, without the HTML document around it. */
export interface Page {
  /** Its file below the root, such as `guides/retries.html`. */
  readonly path: string
  readonly title: string
  /** One sentence for search engines. */
  readonly description: string
  readonly body: Html
  readonly sections: readonly Section[]
  /** Its text for programs that read Markdown. */
  readonly markdown: string
  /** Content next to the text in wide windows. */
  readonly aside?: Html
}

/** The link from one page to another, which works on any host and below any path. */
export function relativeLink(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1)
  return `${up}${to}` || './'
}
