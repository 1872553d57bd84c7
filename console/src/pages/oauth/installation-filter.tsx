import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'

/** Filters by installation, kept in the URL. */
export function InstallationFilter() {
  const [installationId, choose] = useParameter('installation')
  const { answer } = useCall('installations', () => call('listInstallations', { query: { limit: 100 } }))
  const known = answer?.items.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const) ?? []
  // Not among the 100 newest.
  const isHidden = answer && installationId && !known.some(([id]) => id === installationId)
  return (
    <Select
      name="installation"
      label="Installation"
      value={installationId}
      onChange={choose}
      options={[['', 'All'], ...known, ...(isHidden ? [[installationId, 'Selected installation'] as const] : [])]}
    />
  )
}
