import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'

/** Filters by installation, kept in the URL. */
export function InstallationFilter() {
  const [installationId, setInstallationId] = useQueryParameter('installation')
  const { data } = useCall('installations', () => call('listInstallations', { query: { limit: 100 } }))
  const choices = data?.items.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const) ?? []
  // Not among the 100 newest.
  const isHidden = data && installationId && !choices.some(([id]) => id === installationId)
  return (
    <Select
      name="installation"
      label={translate('Installation')}
      value={installationId}
      onChange={setInstallationId}
      options={[
        ['', translate('All')],
        ...choices,
        ...(isHidden ? [[installationId, translate('Selected installation')] as const] : []),
      ]}
    />
  )
}
