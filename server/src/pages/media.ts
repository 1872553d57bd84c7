import { allPictures } from '../../demo/index.ts'

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

let pictures: ReadonlyMap<string, Buffer> | null = null

/** The picture at a path, or null. Pictures are drawn from code on the first call, the same bytes on every node. */
export function media(path: string): MediaAnswer | null {
  pictures ??= new Map(allPictures().map(({ path, svg }) => [path, Buffer.from(svg)]))
  const body = pictures.get(path)
  return body ? { body, headers: HEADERS } : null
}
