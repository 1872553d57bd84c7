import { operation } from '../operation.ts'
import { none } from '../schemas/common.ts'
import { RuntimeConfig } from '../schemas/runtime-config.ts'

const tag = 'Storefront'
const isPublic = { kind: 'public' } as const

export const storefrontOperations = {
  getRuntimeConfig: operation({
    method: 'GET',
    path: '/api/v1/runtime-config',
    tag,
    summary: 'Read every number that a client would otherwise guess.',
    description:
      'Limits, windows, quotas, retention, the public keys of quotes, and the capabilities with what blocks them.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: none,
    body: null,
    data: RuntimeConfig,
    meta: null,
    response: 'RuntimeConfigResponse',
    refusals: [],
  }),
}
