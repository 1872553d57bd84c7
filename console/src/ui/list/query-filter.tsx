import { useParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'
import { inWords } from '../format/text.ts'

/** A filter of a list, kept in the address. */
export function ParameterSelect({
  name,
  label,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly options: readonly string[]
}) {
  const [value, setValue] = useParameter(name)
  const words = options.map((each) => [each, inWords(each)] as const)
  return <Select name={name} label={label} value={value} onChange={setValue} options={[['', 'all'], ...words]} />
}
