import { useParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'
import { asSentence } from '../format/text.ts'

/** A filter of a list, kept in the URL. */
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
  const choices = options.map((each) => [each, asSentence(each)] as const)
  return <Select name={name} label={label} value={value} onChange={setValue} options={[['', 'All'], ...choices]} />
}
