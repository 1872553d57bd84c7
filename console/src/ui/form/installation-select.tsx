import { call } from '../../api.ts'
import { each } from '../record-picker.tsx'
import { selectOf } from './record-select.tsx'

interface Named {
  readonly id: string
  readonly name: string
  readonly environment: string
}
const choiceOf = ({ id, name, environment }: Named) => ({ id, name: `${name} (${environment})` })

/** Selects an installation. */
export const InstallationSelect = selectOf({
  list: (query) => call('listInstallations', { query }),
  choiceOf,
  known: (id) => ({ id, name: id }),
  byIds: (ids) =>
    each(ids, async (installationId) => choiceOf(await call('getInstallation', { params: { installationId } }))),
})
