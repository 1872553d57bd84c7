import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../form/form.tsx'
import { sentenceCase } from '../format/text.ts'

/** A filter of a list, kept in the URL. */
export function QueryFilter({
  name,
  label,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly options: readonly string[]
}) {
  const [value, setValue] = useQueryParameter(name)
  const choices = options.map((each) => [each, sentenceCase(each)] as const)
  return (
    <Select
      name={name}
      label={label}
      value={value}
      onChange={setValue}
      options={[['', translate('All')], ...choices]}
    />
  )
}
