import { type GrantPurpose, listStores, type StoreSettings, setStoreAccess } from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { readLine } from '../stdin.ts'

const MODES = ['open', 'password', 'challenge'] as const
const PURPOSES: readonly GrantPurpose[] = ['register', 'password_reset']

function presentStore(row: StoreSettings) {
  return {
    id: row.id,
    slug: row.slug,
    status: row.status,
    mode: row.access_mode,
    hasPassword: row.has_password,
    requireGrant: row.grant_purposes,
  }
}

/** `vitrine store list`: the stores, and how each is entered. */
export async function listStoresCommand(output: Output): Promise<void> {
  const stores = (await inHouse(output, ({ database }) => listStores(database.reader))).map(presentStore)
  const lines = columns([
    ['STORE', 'STATUS', 'MODE', 'PASSWORD', 'GRANT REQUIRED FOR', 'ID'],
    ...stores.map((store) => [
      store.slug,
      store.status,
      store.mode,
      store.hasPassword ? 'set' : store.mode === 'password' ? 'MISSING' : 'none',
      store.requireGrant.join(',') || 'nothing else',
      store.id,
    ]),
  ])
  output.result(stores, stores.length > 0 ? lines : ['There is no store yet: vitrine catalog import FILE --store SLUG'])
}

export interface StoreAccessOptions {
  readonly mode: string
  readonly passwordStdin?: boolean
  readonly requireGrant?: string
}

/** `vitrine store access SLUG`: sets how a store is entered. Every grant that was given for it ends. */
export async function storeAccessCommand(slug: string, options: StoreAccessOptions, output: Output): Promise<void> {
  const mode = MODES.find((each) => each === options.mode)
  if (!mode) throw new UsageError(`--mode is ${MODES.join(', ')}.`)
  const grantPurposes = readPurposes(options.requireGrant)
  const password = options.passwordStdin ? await readLine() : undefined
  const store = await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => setStoreAccess(tx, { slug, mode, password, grantPurposes }, now())),
  ).catch((error: Error & { readonly pointer?: string }) => {
    if (error.pointer !== '/password' || password !== undefined) throw error
    throw new CommandError(`${error.message} --password-stdin reads it.`, { cause: error })
  })
  const needed = store.grant_purposes.length > 0 ? ` A grant is required for ${store.grant_purposes.join(', ')}.` : ''
  output.result(presentStore(store), [`The store ${slug} is entered by: ${mode}.${needed} Earlier grants have ended.`])
}

/** `register,password_reset`, or nothing at all to require none. */
function readPurposes(text: string | undefined): GrantPurpose[] | undefined {
  if (text === undefined) return undefined
  const named = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return named.map((each) => {
    const purpose = PURPOSES.find((known) => known === each)
    if (!purpose) throw new UsageError(`--require-grant takes ${PURPOSES.join(' and ')}, not "${each}".`)
    return purpose
  })
}
