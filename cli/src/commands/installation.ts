import { createInstallation, listInstallations, setInstallationStatus } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

export interface InstallationCreateOptions {
  readonly name: string
  readonly store?: string
  readonly environment: string
  readonly returnUrl?: readonly string[]
  readonly origin?: readonly string[]
}

/** `vitrine installation create`: registers who may ask. */
export async function createInstallationCommand(options: InstallationCreateOptions, output: Output): Promise<void> {
  const { environment } = options
  if (environment !== 'test' && environment !== 'live') throw new UsageError('--environment is test or live.')
  const id = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) =>
      createInstallation(
        tx,
        {
          name: options.name,
          storeSlug: options.store,
          environment,
          origins: options.origin ?? [],
          returnUrls: options.returnUrl ?? [],
        },
        { ids, now: now() },
      ),
    ),
  )
  output.result({ id }, [id, '', `Make a key for it: vitrine key create --installation ${id} --scopes catalog:read`])
}

/** `vitrine installation list` */
export async function listInstallationsCommand(output: Output): Promise<void> {
  const rows = await inHouse(output, ({ database }) => listInstallations(database.reader))
  const shown = rows.map((row) => ({
    id: row.id,
    name: row.name,
    environment: row.environment,
    status: row.status,
    store: row.store_slug,
  }))
  const lines = columns([
    ['ID', 'NAME', 'ENVIRONMENT', 'STATUS', 'STORE'],
    ...shown.map((row) => [row.id, row.name, row.environment, row.status, row.store ?? 'whole marketplace']),
  ])
  output.result(
    shown,
    shown.length > 0 ? lines : ['There is no installation yet: vitrine installation create --name NAME'],
  )
}

/** `vitrine installation suspend|resume ID`: refuses all its credentials from now on, or lets it go on. */
export async function setInstallationStatusCommand(
  id: string,
  status: 'active' | 'suspended',
  output: Output,
): Promise<void> {
  await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => setInstallationStatus(tx, id, status, now())),
  )
  output.result({ id, status }, [
    status === 'suspended' ? `Suspended ${id}: each of its credentials is refused.` : `${id} may go on.`,
  ])
}
