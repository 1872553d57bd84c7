import type { CommandLine } from '../command-line.ts'
import type { Answer } from '../operator-client.ts'
import { commaSeparated, oneOf, readLine } from '../options.ts'

const MODES = ['open', 'password', 'challenge'] as const
const purpose = oneOf('--require-grant', ['register', 'password_reset'])

interface AccessOptions {
  readonly mode: (typeof MODES)[number]
  readonly passwordStdin?: boolean
  readonly requireGrant?: ReturnType<typeof purpose>[]
}

export function addStoreCommands({ command, group, operator, out }: CommandLine): void {
  const store = group('store', 'stores and their access settings')
  command(store, 'list', 'list the stores').action(async () => {
    const stores = (await operator((client) => client.list('listStores', {}))).map(presentStore)
    const rows = stores.map(({ slug, status, mode, hasPassword, requireGrant, id }) => {
      const password = hasPassword ? 'set' : mode === 'password' ? 'MISSING' : 'none'
      return [slug, status, mode, password, requireGrant.join(',') || 'nothing else', id]
    })
    const heads = ['STORE', 'STATUS', 'MODE', 'PASSWORD', 'GRANT REQUIRED FOR', 'ID']
    out.table(stores, heads, rows, 'There is no store yet: vitrine catalog import FILE --store SLUG')
  })
  command(store, 'access <slug>', 'set the access mode of a store; ends all earlier grants')
    .requiredOption('--mode <mode>', MODES.join(', '), oneOf('--mode', MODES))
    .option('--password-stdin', 'read the password of the store from standard input')
    .option('--require-grant <purposes>', 'register,password_reset; "" for none', (text: string) =>
      commaSeparated(text).map(purpose),
    )
    .action(async (slug: string, { mode, passwordStdin, requireGrant }: AccessOptions) => {
      const password = passwordStdin ? await readLine(out.io) : undefined
      const body = { mode, ...(password !== undefined && { password }), ...(requireGrant && { requireGrant }) }
      const saved = await operator((client) => client.call('setStoreAccess', { params: { storeSlug: slug }, body }))
      const grants = saved.requireGrant.length > 0 ? ` A grant is required for ${saved.requireGrant.join(', ')}.` : ''
      out.result(presentStore(saved), [
        `The access mode of the store ${slug} is ${mode}.${grants} Earlier grants have ended.`,
      ])
    })
}

function presentStore({ id, slug, status, accessMode: mode, hasPassword, requireGrant }: Answer<'getStore'>) {
  return { id, slug, status, mode, hasPassword, requireGrant }
}
