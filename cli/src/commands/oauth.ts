import type { Scope } from '@vitrine/contract'
import type { CommandLine } from '../command-line.ts'
import { CommandError, UsageError } from '../failure.ts'
import type { Input } from '../operator-client.ts'
import { collect, readJsonFile, readLine, scopes } from '../options.ts'

type NewClient = NonNullable<Input<'createOAuthClient'>['body']>

interface ClientOptions {
  readonly installation: string
  readonly redirectUri: string[]
  readonly public?: boolean
  readonly jwks?: string
}
interface CodeOptions {
  readonly client: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly dpopJkt?: string
  readonly scopes?: Scope[]
}

/** `oauth` and `staff`. */
export function addOAuthCommands({ command, group, operator, out }: CommandLine): void {
  const oauth = group('oauth', 'apps that act for an installation with tokens')
  const app = group('client', 'apps', oauth)
  command(app, 'create', 'register an app')
    .requiredOption('--installation <id>', 'installation it acts for')
    .requiredOption('--redirect-uri <url>', 'exact redirect URI; repeatable', collect)
    .option('--public', 'an app that cannot keep a secret, such as one on a phone; the default')
    .option('--jwks <file>', 'JWK Set with its public keys, for an app that signs its requests (private_key_jwt)')
    .action(
      async ({ installation: installationId, redirectUri: redirectUris, jwks: file, ...options }: ClientOptions) => {
        if (options.public && file !== undefined) throw new UsageError('Give --public or --jwks, not both.')
        const jwks = file === undefined ? {} : { jwks: await readPublicKeys(file) }
        const body = { installationId, redirectUris, ...jwks }
        const { id: clientId } = await operator((client) => client.call('createOAuthClient', { body }))
        const proof =
          file === undefined ? 'It is public: PKCE and DPoP protect its requests.' : 'It signs its requests.'
        out.result({ clientId }, [clientId, '', proof])
      },
    )

  command(app, 'remove <id>', 'remove an app, and end all its grants and tokens').action(async (id: string) => {
    const { endedGrants } = await operator((client) => client.call('removeOAuthClient', { params: { clientId: id } }))
    out.result({ id, endedGrants }, [`${id} is removed. Active grants that ended: ${endedGrants}.`])
  })

  const grant = group('grant', 'approvals of apps', oauth)
  command(grant, 'list', 'list the grants, newest first')
    .option('--installation <id>', 'of this installation')
    .action(async ({ installation: installationId }: { installation?: string }) => {
      const found = await operator((client) => client.list('listOAuthGrants', installationId ? { installationId } : {}))
      const shown = found.map(({ id, installation, clientId, standing, scopes, approvedBy, createdAt, endsAt }) => {
        return { id, installationId: installation.id, clientId, standing, scopes, approvedBy, createdAt, endsAt }
      })
      const rows = shown.map((each) => [each.id, each.standing, each.clientId, each.approvedBy, each.endsAt])
      out.table(shown, ['GRANT', 'STATUS', 'APP', 'APPROVED BY', 'ENDS'], rows, 'There are no grants yet.')
    })
  command(grant, 'revoke <id>', 'revoke a grant and all its tokens').action(async (id: string) => {
    const { revokedAt = null } = await operator((client) =>
      client.call('revokeOAuthGrant', { params: { grantId: id } }),
    )
    out.result({ id, revokedAt }, [`${id} and all its tokens were revoked at ${revokedAt}.`])
  })

  command(oauth, 'code', 'approve an app yourself and print the authorization code, which works once within 60 s')
    .requiredOption('--client <id>', 'app')
    .requiredOption('--redirect-uri <url>', 'one of its redirect URIs')
    .requiredOption('--code-challenge <challenge>', 'SHA-256 of its PKCE verifier in base64url')
    .option('--dpop-jkt <thumbprint>', 'the only key that may redeem the code')
    .option('--scopes <scopes>', 'catalog:read,checkout:quote,webhooks:read,webhooks:write; all by default', scopes)
    .action(async ({ client: clientId, redirectUri, codeChallenge, dpopJkt, scopes: asked }: CodeOptions) => {
      const body = { redirectUri, codeChallenge, ...(dpopJkt && { dpopJkt }), ...(asked && { scopes: asked }) }
      const { code } = await operator((client) => client.call('createOAuthCode', { params: { clientId }, body }))
      // On its own line, for scripts.
      out.result({ code }, [code])
    })

  command(
    group('staff', 'people who work for a store'),
    'create',
    'add a member of staff, who may grant access to a store',
  )
    .requiredOption('--store <slug>', 'store')
    .requiredOption('--email <address>', 'email address')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .action(async ({ store, email }: { store: string; email: string }) => {
      const body = { email, password: await readLine(out.io) }
      const { id: staffId } = await operator((client) =>
        client.call('createStaff', { params: { storeSlug: store }, body }),
      )
      out.result({ staffId }, [staffId, '', `${email} can grant access to the store ${store}.`])
    })
}

/** Never sends a private key: the server would refuse it, and it would be exposed. */
async function readPublicKeys(file: string): Promise<NonNullable<NewClient['jwks']>> {
  const jwks = (await readJsonFile(file)) as NonNullable<NewClient['jwks']>
  if (!jwks.keys?.some((key) => 'd' in key)) return jwks
  throw new CommandError(`${file} contains a private key: register public keys only, and create new ones.`)
}
