import { useQueryParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'

/** The selected environment, kept in the URL. Default: live. */
export function useEnvironment(): 'live' | 'test' {
  const [selected] = useQueryParameter('environment')
  return selected === 'test' ? 'test' : 'live'
}

/** Selects the environment of `useEnvironment`. */
export function EnvironmentFilter() {
  const [, setEnvironment] = useQueryParameter('environment')
  return (
    <Select
      name="environment"
      label="Environment"
      value={useEnvironment()}
      onChange={(value) => setEnvironment(value === 'live' ? '' : value)}
      options={[
        ['live', 'Live'],
        ['test', 'Test'],
      ]}
    />
  )
}
