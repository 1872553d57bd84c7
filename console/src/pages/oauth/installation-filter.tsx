import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { InstallationSelect } from '../../ui/form/installation-select.tsx'

/** Filters by installation, kept in the URL. */
export function InstallationFilter() {
  const [installationId, setInstallationId] = useQueryParameter('installation')
  return (
    <InstallationSelect
      name="installation"
      label={translate('Installation')}
      value={installationId}
      onChange={setInstallationId}
      none={translate('All')}
    />
  )
}
