import { readFile } from 'node:fs/promises'
import { approveAsOperator, authorizationServer, createOAuthClient } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'
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
