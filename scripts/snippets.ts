import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Code on a page is a file that is checked and run, or a region of one. A page names it in a comment before the block, and shows
 * a copy of it, so that it can be read on a code host as well.
 */

const FENCE = /<!-- snippet: (?<file>[^\s#]+)(?:#(?<region>\w+))? -->\n```(?<language>\w+)\n(?:[\s\S]*?\n)??```/g

const PAGES = ['docs', 'docs/guides', 'docs/concepts']

/** The pages with the code of their files, by path. */
export function pagesWithSnippets(repository: string): ReadonlyMap<string, string> {
  const paths = PAGES.flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
  return new Map(
    paths
      .map((path) => [path, readFileSync(join(repository, path), 'utf8')] as const)
      .filter(([, text]) => text.includes('<!-- snippet:'))
      .map(([path, text]) => [path, withSnippets(text, (file) => readFileSync(join(repository, file), 'utf8'))]),
  )
}

/** A page whose blocks have the code of their files. */
export function withSnippets(page: string, read: (file: string) => string): string {
  return page.replaceAll(FENCE, (...found) => {
    const { file, region, language } = found.at(-1) as { file: string; region?: string; language: string }
    const name = region === undefined ? file : `${file}#${region}`
    return `<!-- snippet: ${name} -->\n\`\`\`${language}\n${regionOf(read(file), name, region)}\n\`\`\``
  })
}

function regionOf(text: string, name: string, region: string | undefined): string {
  if (region === undefined) return text.trim()
  const [, inside] = new RegExp(`^(?://|#) region ${region}\\n(.*?)\\n(?://|#) endregion$`, 'ms').exec(text) ?? []
  if (inside === undefined) throw new Error(`There is no region ${name}.`)
  return inside.trim()
}
