/** A file served under `/media/`. */
export interface MediaAnswer {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Images never change under their URL, so they are cached permanently. An SVG opened directly is a document: the policy
 * gives it no script, style, connection or origin.
 */
const HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

let pictures: Promise<ReadonlyMap<string, Buffer>> | null = null

/** The image at a path, or null. Images are read on first use. */
export async function media(path: string): Promise<MediaAnswer | null> {
  pictures ??= readAll()
  const body = (await pictures).get(path)
  return body ? { body, headers: HEADERS } : null
}

/** Imports the demo data on first use only. */
async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
  const { readPictures } = await import('../../demo/index.ts')
  return new Map(readPictures().map(({ path, svg }) => [path, svg]))
}
