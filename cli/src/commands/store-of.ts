import { listStores } from '@vitrine/server'
import { CommandError } from '../failure.ts'

/** The id of a store by its slug; `null` where none is named. @throws CommandError where no store has the slug */
export async function storeIdOf(
  reader: Parameters<typeof listStores>[0],
  slug: string | undefined,
): Promise<string | null> {
  if (slug === undefined) return null
  const store = (await listStores(reader)).find((each) => each.slug === slug)
  if (!store) throw new CommandError(`There is no store "${slug}".`)
  return store.id
}
