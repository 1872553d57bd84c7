import { useParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'

/** Which environment is shown, kept in the address: live where nothing is said. */
export function useEnvironment(): 'live' | 'test' {
  const [asked] = useParameter('environment')
  return asked === 'test' ? 'test' : 'live'
}

/** Chooses what `useEnvironment` gives. */
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
