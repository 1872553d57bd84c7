import { useParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'

/** The selected environment, kept in the URL. Default: live. */
export function useEnvironment(): 'live' | 'test' {
  const [asked] = useParameter('environment')
  return asked === 'test' ? 'test' : 'live'
}

/** Selects the environment of `useEnvironment`. */
export function EnvironmentFilter() {
  const [, setEnvironment] = useParameter('environment')
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
