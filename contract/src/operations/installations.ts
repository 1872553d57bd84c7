import { operation } from '../operation.ts'
import { ApiKeyIdentity, InstallationIdentity, Readiness } from '../schemas/installations.ts'

const tag = 'Installations'
const installation = { kind: 'installation' } as const

export const installationOperations = {
  getInstallationIdentity: operation({
    method: 'GET',
    path: '/api/v1/open/installation/identity',
    tag,
    summary: 'Get the installation of the credential.',
    description: 'The installation of the credential, with the type, binding and scopes of the credential.',
    auth: installation,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    data: InstallationIdentity,
    response: 'InstallationIdentityResponse',
    refusals: [],
  }),
  getInstallationReadiness: operation({
    method: 'GET',
    path: '/api/v1/open/installation/readiness',
    tag,
    summary: 'Get the readiness of the installation.',
    description: 'Each capability with a machine-readable blocker and a remedy.',
    auth: installation,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    data: Readiness,
    response: 'InstallationReadinessResponse',
    refusals: [],
  }),
  getApiKeyIdentity: operation({
    method: 'GET',
    path: '/api/v1/open/identity',
    tag,
    summary: 'Get the identity of the API key.',
    description: 'The key, mostly masked, with its installation, environment, scopes and binding.',
    auth: { kind: 'key', scopes: [] },
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    data: ApiKeyIdentity,
    response: 'ApiKeyIdentityResponse',
    refusals: [],
  }),
}
