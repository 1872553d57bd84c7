import type { OperatorContactList } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { LanguagePicker } from '../../ui/code-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { splitList } from '../../ui/format/text.ts'

export type Channel = OperatorContactList['channels'][number]

const TYPES = [
  ['email', translate('Email')],
  ['phone', translate('Phone')],
  ['chat', translate('Chat')],
  ['form', translate('Form')],
  ['post', translate('Postal mail')],
  ['social', translate('Social network')],
] as const satisfies readonly (readonly [Channel['type'], string])[]

interface ChannelFormProps {
  /** Its index in the list, as in the JSON pointers of the server. */
  readonly index: number
  readonly channel: Channel | null
  readonly locale: string
  readonly onClose: () => void
  readonly onSave: (channel: Channel) => Promise<void>
}

/** One contact channel. */
export function ChannelForm({ index, channel, locale, onClose, onSave }: ChannelFormProps) {
  const at = (name: string) => `/channels/${index}/${name}`
  return (
    <Dialog
      title={channel ? translate('Edit {label}', { label: channel.label }) : translate('Add channel')}
      onClose={onClose}
    >
      <Form
        submit={translate('Save')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const typed = (name: string) => String(fields.get(name) ?? '').trim()
          const [url, hours] = [typed('url'), typed('hours')]
          await onSave({
            id: typed('id'),
            type: TYPES.find(([each]) => each === typed('type'))?.[0] ?? 'email',
            label: typed('label'),
            value: typed('value'),
            ...(url && { url }),
            ...(hours && { hours }),
            languages: splitList(fields.get('languages')),
          })
        }}
      >
        <Select
          name="type"
          label={translate('Type')}
          pointer={at('type')}
          value={channel?.type ?? 'email'}
          options={TYPES}
        />
        <Field name="label" label={translate('Label')} pointer={at('label')} value={channel?.label ?? ''} required />
        <Field
          name="value"
          label={translate('Address, number, or text')}
          pointer={at('value')}
          value={channel?.value ?? ''}
        />
        <Field
          name="url"
          label={translate('Link')}
          hint={translate('https:, mailto:, or tel:. Optional.')}
          pointer={at('url')}
          value={channel?.url ?? ''}
        />
        <Field name="hours" label={translate('Hours')} pointer={at('hours')} value={channel?.hours ?? ''} />
        <LanguagePicker name="languages" label={translate('Languages spoken')} ids={channel?.languages ?? [locale]} />
        <Field
          name="id"
          label={translate('ID')}
          hint={translate('Lowercase, and the same in every language.')}
          pointer={at('id')}
          value={channel?.id ?? ''}
          required
        />
      </Form>
    </Dialog>
  )
}
