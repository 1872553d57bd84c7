/** What is served under `/media/`. */
export interface MediaAnswer {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A picture never changes under its address, so it may be kept for good. An SVG that is opened by itself is a document:
 * the policy gives it no script, no style, no connection and no origin.
 */
const HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

let pictures: Promise<ReadonlyMap<string, Buffer>> | null = null

/** The picture at a path, or null. Pictures are read on the first call. */
export async function media(path: string): Promise<MediaAnswer | null> {
  pictures ??= readAll()
  const body = (await pictures).get(path)
  return body ? { body, headers: HEADERS } : null
}

/** Imported late: an installation without the demo never reads it. */
async function readAll(): Promise<ReadonlyMap<string, Buffer>> {
  const { readPictures } = await import('../../demo/index.ts')
  return new Map(readPictures().map(({ path, svg }) => [path, svg]))
}
