import { createStaff } from '@vitrine/server'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'
import { readLine } from '../stdin.ts'

export interface StaffOptions {
  readonly store: string
  readonly email: string
}

/** `vitrine staff create`: makes somebody who may grant access to a store. */
export async function createStaffCommand({ store, email }: StaffOptions, output: Output): Promise<void> {
  const password = await readLine()
  const staffId = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => createStaff(tx, { storeSlug: store, email, password }, { ids, now: now() })),
  )
  output.result({ staffId }, [staffId, '', `${email} grants access to the store ${store} from now on.`])
}
