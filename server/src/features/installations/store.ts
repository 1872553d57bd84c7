import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isLoopback } from '../../kernel/loopback.ts'
import { refuseField } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

const storeBySlug = statement<{ id: string }>('installations.store_by_slug', 'select id from stores where slug = $1')
const insertInstallation = statement(
  'installations.insert',
  `insert into installations (id, name, store_id, environment, origins, return_urls, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

export interface NewInstallation {
  readonly name: string
  /** The slug of the store. Absent for the whole marketplace. */
  readonly storeSlug?: string | undefined
  readonly environment: Environment
  readonly origins?: readonly string[]
  readonly returnUrls?: readonly string[]
}

/** Refuses `validation_failed` if a name is empty or too long. */
export function checkName(name: string): void {
  const { length } = name.trim()
  if (length < 1 || length > 120) refuseField('name', 'out_of_range', 'A name has 1 to 120 characters.')
}

/**
 * Refuses `validation_failed` if an origin or return URL is invalid. Return URLs carry login codes and access to stores: of a live
 * installation, they are encrypted.
 */
export function checkAddresses({
  environment,
  origins,
  returnUrls,
}: Pick<NewInstallation, 'environment' | 'origins' | 'returnUrls'>): void {
  for (const [index, url] of (returnUrls ?? []).entries()) {
    if (!URL.canParse(url)) refuseField(`returnUrls/${index}`, 'wrong_format', `"${url}" is not a URL.`)
    const { protocol, hostname } = new URL(url)
    if (environment === 'live' && protocol === 'http:' && !isLoopback(hostname))
      refuseField(`returnUrls/${index}`, 'not_allowed', `"${url}" must be https, or http on a loopback address.`)
  }
  for (const [index, origin] of (origins ?? []).entries()) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      refuseField(`origins/${index}`, 'wrong_format', `"${origin}" is not an origin, such as https://shop.example.`)
  }
}

export interface CreateContext {
  readonly ids: IdSource
  readonly now: Date
}

/**
 * Creates an installation.
 *
 * Refuses `validation_failed` if the name is empty or too long, an address is invalid, or the store does not exist.
 */
export async function createInstallation(
  tx: Transaction,
  input: NewInstallation,
  { ids, now }: CreateContext,
): Promise<string> {
  const name = input.name.trim()
  checkName(name)
  checkAddresses(input)
  let storeId: string | null = null
  if (input.storeSlug !== undefined) {
    storeId = (await tx.row(storeBySlug, [input.storeSlug]))?.id ?? null
    if (storeId === null) refuseField('storeSlug', 'not_found', `There is no store "${input.storeSlug}".`)
  }
  const id = ids.next('ins')
  const urls = [input.origins ?? [], input.returnUrls ?? []]
  tx.write(insertInstallation, [id, name, storeId, input.environment, ...urls, now])
  return id
}

export interface InstallationRow {
  id: string
  name: string
  status: 'active' | 'suspended'
  environment: Environment
  store_id: string | null
  store_slug: string | null
}

const installationColumns = `i.id, i.name, i.status, i.environment, s.id as store_id, s.slug as store_slug`
const oneInstallation = statement<InstallationRow>(
  'installations.one',
  `select ${installationColumns}
   from installations i left join stores s on s.id = coalesce($2::text, i.store_id) where i.id = $1`,
)
const allInstallations = statement<InstallationRow>(
  'installations.all',
  `select ${installationColumns} from installations i left join stores s on s.id = i.store_id order by i.id`,
)

/** An installation with its store, or with `storeId`, the store that a credential is limited to. */
export function findInstallation(
  reader: Reader,
  installationId: string,
  storeId: string | null = null,
): Promise<InstallationRow | undefined> {
  return reader.row(oneInstallation, [installationId, storeId])
}

export function listInstallations(reader: Reader): Promise<InstallationRow[]> {
  return reader.rows(allInstallations)
}
