import type { OperatorContactList } from '@vitrine/contract/operator'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { wordsIn } from '../../ui/format/text.ts'

export type Channel = OperatorContactList['channels'][number]

const TYPES = [
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['chat', 'Chat'],
  ['form', 'Form'],
  ['post', 'Postal mail'],
  ['social', 'Social network'],
] as const satisfies readonly (readonly [Channel['type'], string])[]

interface ChannelFormProps {
  /** Its index in the list, by which the server names it. */
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
    <Dialog title={channel ? `Edit ${channel.label}` : 'Add channel'} onClose={onClose}>
      <Form
        submit="Save"
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
            languages: wordsIn(fields.get('languages')),
          })
        }}
      >
        <Select name="type" label="Type" pointer={at('type')} value={channel?.type ?? 'email'} options={TYPES} />
        <Field name="label" label="Label" pointer={at('label')} value={channel?.label ?? ''} required />
        <Field name="value" label="Address, number, or text" pointer={at('value')} value={channel?.value ?? ''} />
        <Field
          name="url"
          label="Link"
          hint="https:, mailto:, or tel:. Optional."
          pointer={at('url')}
          value={channel?.url ?? ''}
        />
        <Field name="hours" label="Hours" pointer={at('hours')} value={channel?.hours ?? ''} />
        <Field
          name="languages"
          label="Languages spoken"
          pointer={at('languages')}
          value={(channel?.languages ?? [locale]).join(', ')}
        />
        <Field
          name="id"
          label="ID"
          hint="Lowercase, and the same in every language."
          pointer={at('id')}
          value={channel?.id ?? ''}
          required
        />
      </Form>
    </Dialog>
  )
}
