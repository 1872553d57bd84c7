import { operation } from '../operation.ts'
import { none } from '../schemas/common.ts'
import { ApiKeyIdentity, InstallationIdentity, Readiness } from '../schemas/installations.ts'

const tag = 'Installations'
const installation = { kind: 'installation' } as const

export const installationOperations = {
  getInstallationIdentity: operation({
    method: 'GET',
    path: '/api/v1/open/installation/identity',
    tag,
    summary: 'Say which installation is asking.',
    description: 'The installation behind the credential, with what the credential is and may do.',
    auth: installation,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: none,
    body: null,
    data: InstallationIdentity,
    meta: null,
    response: 'InstallationIdentityResponse',
    refusals: [],
  }),
  getInstallationReadiness: operation({
    method: 'GET',
    path: '/api/v1/open/installation/readiness',
    tag,
    summary: 'Say what the installation can do, and what stands in its way.',
    description:
      'Capability by capability, with a blocker that a machine can read and a remedy that a person can follow.',
    auth: installation,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: none,
    body: null,
    data: Readiness,
    meta: null,
    response: 'InstallationReadinessResponse',
    refusals: [],
  }),
  getApiKeyIdentity: operation({
    method: 'GET',
    path: '/api/v1/open/identity',
    tag,
    summary: 'Say which API key is asking.',
    description: 'The key, mostly hidden, with its installation, environment, scopes and binding.',
    auth: { kind: 'key', scopes: [] },
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    params: none,
    query: none,
    body: null,
    data: ApiKeyIdentity,
    meta: null,
    response: 'ApiKeyIdentityResponse',
    refusals: [],
  }),
}
