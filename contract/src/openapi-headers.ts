/** The headers of the OpenAPI document. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined }
export type JsonObject = { readonly [member: string]: Json | undefined }

export const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema })
export const headerText = (pattern: string, maxLength: number, example: string): JsonObject => ({
  type: 'string',
  pattern,
  maxLength,
  examples: [example],
})

export const headers: JsonObject = {
  'X-Request-Id': header(
    'The id of the request, the same as `requestId` in an error.',
    headerText('^req_[0-7][0-9a-hjkmnp-tv-z]{25}$', 30, 'req_01k5b7m2q8e9rtv3w4x5y6z7a8'),
  ),
  RateLimit: header(
    'The remaining requests of the tightest policy, and the seconds until another is allowed: 0 if any remain (draft-ietf-httpapi-ratelimit-headers).',
    headerText('^[\\x20-\\x7e]*$', 500, '"key-read";r=599;t=0'),
  ),
  'RateLimit-Policy': header(
    'The policy with its quota and its window in seconds (draft-ietf-httpapi-ratelimit-headers).',
    headerText('^[\\x20-\\x7e]*$', 500, '"key-read";q=6000;w=60'),
  ),
  'Access-Control-Allow-Origin': header(
    'The origins whose scripts may read the answer: any for public reads, the registered origins of the installation elsewhere.',
    headerText('^(\\*|https?://[^\\s]+)$', 300, '*'),
  ),
  ETag: header(
    'The exact version of these bytes. Send it as `If-None-Match`.',
    headerText('^"[A-Za-z0-9_-]+"$', 64, '"b0Yl6H3u9aQ"'),
  ),
  'Cache-Control': header(
    'How long the answer may be cached.',
    headerText('^[\\x20-\\x7e]*$', 200, 'private, no-store'),
  ),
  'WWW-Authenticate': header(
    'The accepted schemes and what was wrong.',
    headerText('^[\\x20-\\x7e]*$', 1000, 'Bearer realm="vitrine", DPoP realm="vitrine", algs="ES256 EdDSA"'),
  ),
  'DPoP-Nonce': header('The nonce for the next DPoP proof.', headerText('^[A-Za-z0-9_-]+$', 100, 'q1Zf3vJ4mXW0b8cD')),
  'Idempotent-Replayed': header('`true` if this is a stored answer, replayed.', headerText('^true$', 4, 'true')),
}
