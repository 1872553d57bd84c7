import { type Static, Type } from 'typebox'
import { RETRY_ADVICE, type RefusalCode, refusalCodes } from '../refusals.ts'
import {
  closed,
  fixedOneOf,
  formed,
  integer,
  listOf,
  mapOf,
  maybeEmpty,
  named,
  oneOf,
  orNull,
  text,
} from './primitives.ts'

const scalar = Type.Union(
  [
    maybeEmpty(1000, 'A word.', 'catalog:read'),
    Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, examples: [999] }),
    Type.Boolean({ examples: [true] }),
  ],
  { description: 'A string, a number or a boolean.', examples: [999] },
)

const MEMBER = '^[a-zA-Z][a-zA-Z0-9_]{0,63}$'

export const PublicErrorDetail = named(
  'PublicErrorDetail',
  closed('One problem and its place.', {
    in: fixedOneOf(['body', 'query', 'path', 'header'], 'The part of the request.'),
    pointer: maybeEmpty(
      1000,
      'A JSON pointer into the body, `/name` for a parameter, or the name of a header. Empty: the whole part.',
      '/quantity',
    ),
    code: formed('^[a-z][a-z0-9_]{1,63}$', 64, 'What is wrong, machine-readable.', 'out_of_range'),
    message: text(1000, 'What is wrong, for developers.', '1 to 999'),
    params: Type.Optional(
      mapOf(MEMBER, scalar, 20, 'The bounds or names in the message.', {
        examples: [{ min: 1, max: 999 }],
      }),
    ),
  }),
)
export type PublicErrorDetail = Static<typeof PublicErrorDetail>

export const PublicErrorConflict = named(
  'PublicErrorConflict',
  closed('The conflict, and what is allowed now.', {
    expectedVersion: Type.Optional(integer(1, 2_147_483_647, 'The version the request expected.', 3)),
    currentVersion: Type.Optional(integer(1, 2_147_483_647, 'The current version.', 4)),
    currentState: Type.Optional(formed('^[a-z][a-z0-9_]{1,63}$', 64, 'The current state.', 'locked')),
    allowed: Type.Optional(
      listOf(text(100, 'An operationId or a state.', 'getPublicCart'), 60, 'What is allowed now.'),
    ),
    heldBy: Type.Optional(text(100, 'The id of the lock holder.', 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8')),
    lines: Type.Optional(
      listOf(
        closed('A line in conflict.', {
          lineId: Type.Optional(text(64, 'The id of the line.', 'line_01k5b7m2q8e9rtv3w4x5y6z7a8')),
          skuId: Type.Optional(text(64, 'The id of the SKU.', 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8')),
          requestedQuantity: Type.Optional(integer(0, 2_147_483_647, 'The requested quantity.', 5)),
          availableQuantity: Type.Optional(integer(0, 2_147_483_647, 'The available quantity.', 2)),
        }),
        100,
        'The lines in conflict.',
      ),
    ),
    reasons: Type.Optional(
      listOf(formed('^[a-z][a-z0-9_]{1,63}$', 64, 'A machine-readable reason.', 'window_closed'), 20, 'The reasons.'),
    ),
  }),
)
export type PublicErrorConflict = Static<typeof PublicErrorConflict>

export const PublicErrorResponse = named(
  'PublicErrorResponse',
  closed(
    'The shape of every error.',
    {
      code: oneOf(refusalCodes as [RefusalCode, ...RefusalCode[]], 'The error code. Codes never change.'),
      message: text(1000, 'One sentence for developers.', 'The request does not match the public contract.'),
      status: Type.Enum([400, 401, 403, 404, 409, 429, 500, 503], {
        type: 'integer',
        format: 'int32',
        minimum: 400,
        maximum: 599,
        description: 'The HTTP status.',
      }),
      requestId: formed(
        '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$',
        30,
        'The id of the request, also in the X-Request-Id header.',
        'req_01k5b7m2q8e9rtv3w4x5y6z7a8',
      ),
      outcome: fixedOneOf(['not_applied', 'applied', 'unknown'], 'Whether the effect of the request happened.'),
      retry: closed('What to do next.', {
        advice: oneOf(RETRY_ADVICE, 'What the client should do next.'),
        afterMs: orNull(
          integer(0, 2_147_483_647, 'Milliseconds to wait.', 1000),
          'How long to wait first, in milliseconds, if known.',
        ),
      }),
      details: listOf(PublicErrorDetail, 20, 'The problems, one by one. Empty if the code says everything.'),
      params: Type.Optional(
        mapOf(
          MEMBER,
          Type.Union([scalar, listOf(text(200, 'A word.', 'catalog:read'), 100, 'Words.')]),
          20,
          'Values that belong to the code, such as the required scopes or the blocker.',
          { examples: [{ scopes: ['catalog:read'] }] },
        ),
      ),
      conflict: Type.Optional(PublicErrorConflict),
      rateLimit: Type.Optional(
        closed('The limit that was exceeded (429).', {
          policy: formed('^[a-z][a-z0-9-]{1,63}$', 64, 'The name of the policy, as in getRuntimeConfig.', 'key-write'),
          limit: integer(0, 2_147_483_647, 'Requests per window.', 3000),
          windowSeconds: integer(1, 2_147_483_647, 'The window, in seconds.', 60),
          remaining: integer(0, 2_147_483_647, 'Requests left in the window.', 0),
        }),
      ),
      error: Type.Optional(
        formed('^[a-z][a-z0-9_]{1,63}$', 64, 'The RFC 6749 error code, on OAuth operations only.', 'invalid_grant'),
      ),
      error_description: Type.Optional(text(1000, 'The message, on OAuth operations only.', 'The grant has expired.')),
    },
    {
      examples: [
        {
          code: 'validation_failed',
          message: 'The request does not match the public contract.',
          status: 400,
          requestId: 'req_01k5b7m2q8e9rtv3w4x5y6z7a8',
          outcome: 'not_applied',
          retry: { advice: 'fix_request', afterMs: null },
          details: [
            {
              in: 'body',
              pointer: '/quantity',
              code: 'out_of_range',
              message: '1 to 999',
              params: { min: 1, max: 999 },
            },
          ],
        },
      ],
    },
  ),
)
export type PublicErrorResponse = Static<typeof PublicErrorResponse>
