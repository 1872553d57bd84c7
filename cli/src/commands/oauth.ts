import { readFile } from 'node:fs/promises'
import {
  approveAsOperator,
  authorizationServer,
  createOAuthClient,
  grantStatus,
  listGrants,
  revokeGrantById,
} from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { readScopes } from '../scopes.ts'

export interface OAuthClientOptions {
  readonly installation: string
  readonly redirectUri: readonly string[]
  readonly public?: boolean
  readonly jwks?: string
}

/** `vitrine oauth client create`: registers an app of an installation. */
export async function createOAuthClientCommand(options: OAuthClientOptions, output: Output): Promise<void> {
  const { installation: installationId, redirectUri: redirectUris, jwks: file } = options
  if (options.public && file !== undefined) throw new UsageError('Give --public or --jwks, not both.')
  const jwks = file === undefined ? undefined : await readJson(file)
  const clientId = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => createOAuthClient(tx, { installationId, redirectUris, jwks }, { ids, now: now() })),
  )
  const proves = file === undefined ? 'It is public: PKCE and DPoP protect what it asks.' : 'It signs what it asks.'
  output.result({ clientId }, [clientId, '', proves])
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is no JSON.`)
  }
}

export interface OAuthCodeOptions {
  readonly client: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly dpopJkt?: string
  readonly scopes?: string
}

/** `vitrine oauth code`: an operator's own approval. The code stands alone on its line, for a script to take. */
export async function oauthCodeCommand(options: OAuthCodeOptions, output: Output): Promise<void> {
  const { client, redirectUri, codeChallenge, dpopJkt, scopes } = options
  const asked = {
    client_id: client,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    ...(dpopJkt !== undefined && { dpop_jkt: dpopJkt }),
    ...(scopes !== undefined && { scope: readScopes(scopes).join(' ') }),
  }
  const code = await inHouse(output, ({ config, database, ids, randomness, now }) => {
    const server = authorizationServer(config.publicUrl)
    return database.transaction((tx) => approveAsOperator(tx, asked, server, { ids, randomness, now: now() }))
  })
  output.result({ code }, [code])
}

const GRANTS_MAX = 1000

/** `vitrine oauth grant list`: what was approved, the newest first. */
export async function listGrantsCommand(
  { installation }: { readonly installation?: string },
  output: Output,
): Promise<void> {
  const { grants, now } = await inHouse(output, async ({ database, now: clock }) => {
    const question = { installationId: installation ?? null, clientId: null, afterId: null, limit: GRANTS_MAX }
    return { grants: await listGrants(database.reader, question), now: clock() }
  })
  const shown = grants.map((grant) => ({
    id: grant.id,
    installationId: grant.installation_id,
    clientId: grant.client_id,
    standing: grantStatus(grant, now),
    scopes: grant.scopes,
    approvedBy: grant.approved_by,
    createdAt: grant.created_at.toISOString(),
    endsAt: grant.ends_at.toISOString(),
  }))
  const lines = columns([
    ['GRANT', 'STANDING', 'APP', 'APPROVED BY', 'ENDS'],
    ...shown.map(({ id, standing, clientId, approvedBy, endsAt }) => [id, standing, clientId, approvedBy, endsAt]),
  ])
  output.result(shown, shown.length > 0 ? lines : ['Nothing was approved yet.'])
}

/** `vitrine oauth grant revoke ID`: ends a grant and all its tokens at once. */
export async function revokeGrantCommand(id: string, output: Output): Promise<void> {
  const revoked = await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => revokeGrantById(tx, id, now())),
  )
  if (!revoked) throw new CommandError(`There is no grant ${id}.`)
  const revokedAt = revoked.after.revoked_at?.toISOString() ?? null
  output.result({ id, revokedAt }, [`${id} and all its tokens work no more, since ${revokedAt}.`])
}
