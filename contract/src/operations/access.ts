import { operation } from '../operation.ts'
import {
  Challenge,
  CreateChallengeRequest,
  StoreAccessConfig,
  StoreAccessGrant,
  StoreParams,
  VerifyChallengeRequest,
} from '../schemas/accounts.ts'

const tag = 'Store access'
const isPublic = { kind: 'public' } as const

export const accessOperations = {
  getStoreAccessConfig: operation({
    method: 'GET',
    path: '/api/v1/public/store-access/{store}/config',
    tag,
    summary: 'Get the access configuration of a store.',
    description: 'Returns the mode, the accepted kinds of challenge, and their limits.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: StoreParams,
    data: StoreAccessConfig,
    response: 'StoreAccessConfigResponse',
    refusals: ['not_found'],
  }),
  verifyStorefrontChallenge: operation({
    method: 'POST',
    path: '/api/v1/public/store-access/{store}/challenges/verify',
    tag,
    summary: 'Solve a challenge and get an access token.',
    description:
      'A challenge can be solved once, in at most five attempts. The token is bound to the store and the purpose.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    params: StoreParams,
    body: VerifyChallengeRequest,
    data: StoreAccessGrant,
    response: 'StoreAccessGrantResponse',
    limits: [
      { policy: 'challenge-verify', by: 'address' },
      { policy: 'challenge-verify-store', by: 'store' },
    ],
    refusals: ['not_found', 'challenge_used', 'challenge_expired', 'challenge_attempts_exceeded', 'challenge_failed'],
  }),
  createStorefrontChallenge: operation({
    method: 'POST',
    path: '/api/v1/public/store-access/{store}/challenges',
    tag,
    summary: 'Create a challenge.',
    description: 'A password prompt or a proof of work, depending on the store.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    params: StoreParams,
    body: CreateChallengeRequest,
    data: Challenge,
    response: 'StoreChallengeResponse',
    limits: [{ policy: 'challenge-create', by: 'address' }],
    refusals: ['not_found'],
  }),
}
