/** Elements whose content is not text to show. */
const HIDDEN = /<(script|style|template|iframe|object|noscript|svg|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
// An attempt to match ends at the next bracket, so that a text full of brackets is read in linear time.
const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9]*)([^<>]*)>/gi
const BLOCKS = new Set(
  'p div section article ul ol table tr blockquote header footer figure pre dl dt dd hr'.split(' '),
)
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  trade: '™',
  reg: '®',
  copy: '©',
  deg: '°',
  euro: '€',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
}

/** Whether a text contains HTML tags. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i.test(text)
}

/**
 * Converts HTML to Markdown: paragraphs, headings, lists, emphasis and links to websites. Other markup is left out, and characters of
 * Markdown or HTML in the text are escaped, so that no markup of the source reaches a page.
 */
export function markdownOfHtml(html: string): string {
  const source = html.replaceAll(HIDDEN, '')
  const links: (string | null)[] = []
  let markdown = ''
  let from = 0
  for (const found of source.matchAll(TAG)) {
    markdown += escaped(source.slice(from, found.index))
    from = found.index + found[0].length
    const [, slash, name, attributes = ''] = found
    if (name !== undefined) markdown += markdownOfTag(name.toLowerCase(), slash === '/', attributes, links)
  }
  markdown += escaped(source.slice(from))
  return markdown
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/(\*\*|_)\s*\1/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function markdownOfTag(name: string, closes: boolean, attributes: string, links: (string | null)[]): string {
  if (/^h[1-6]$/.test(name)) return closes ? '\n\n' : `\n\n${'#'.repeat(Math.max(2, Number(name[1])))} `
  if (name === 'br') return '\n'
  if (name === 'li') return closes ? '' : '\n- '
  if (name === 'td' || name === 'th') return closes ? ' ' : ''
  if (name === 'strong' || name === 'b') return '**'
  if (name === 'em' || name === 'i') return '_'
  if (name === 'a') return closes ? endOfLink(links.pop()) : startOfLink(attributes, links)
  return BLOCKS.has(name) ? '\n\n' : ''
}

function startOfLink(attributes: string, links: (string | null)[]): string {
  const address = /\bhref\s*=\s*["']?(https?:\/\/[^\s"'<>()]+)/i.exec(attributes)?.[1]
  links.push(address === undefined ? null : decoded(address).replaceAll(/[()\s<>]/g, ''))
  return links.at(-1) ? '[' : ''
}

function endOfLink(address: string | null | undefined): string {
  return address ? `](${address})` : ''
}

/** Text between tags: whitespace becomes one space, and characters of Markdown or HTML are escaped. */
function escaped(text: string): string {
  return decoded(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|]/g, '\\$&')
    .replaceAll(
      /^( ?)([-+]|\d+\.)(?= )/g,
      (_, space: string, sign: string) => `${space}${sign.slice(0, -1)}\\${sign.at(-1)}`,
    )
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : entity
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : ''
  })
}
