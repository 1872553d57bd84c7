import type { OperatorContactList } from '@vitrine/contract/operator'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { wordsIn } from '../../ui/format/text.ts'

export type Channel = OperatorContactList['channels'][number]

const TYPES = [
  ['email', 'E-mail'],
  ['phone', 'Telephone'],
  ['chat', 'Chat'],
  ['form', 'Form'],
  ['post', 'Post'],
  ['social', 'Social network'],
] as const satisfies readonly (readonly [Channel['type'], string])[]

interface ChannelFormProps {
  /** Its place in the list, by which the server names it. */
  readonly index: number
  readonly channel: Channel | null
  readonly locale: string
  readonly onClose: () => void
  readonly onSave: (channel: Channel) => Promise<void>
}

/** One way to reach somebody. */
export function ChannelForm({ index, channel, locale, onClose, onSave }: ChannelFormProps) {
  const at = (name: string) => `/channels/${index}/${name}`
  return (
    <Dialog title={channel ? `Change ${channel.label}` : 'Add a channel'} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const said = (name: string) => String(fields.get(name) ?? '').trim()
          const [url, hours] = [said('url'), said('hours')]
          await onSave({
            id: said('id'),
            type: TYPES.find(([each]) => each === said('type'))?.[0] ?? 'email',
            label: said('label'),
            value: said('value'),
            ...(url && { url }),
            ...(hours && { hours }),
            languages: wordsIn(fields.get('languages')),
          })
        }}
      >
        <Select name="type" label="Kind" pointer={at('type')} value={channel?.type ?? 'email'} options={TYPES} />
        <Field name="label" label="What a shopper reads" pointer={at('label')} value={channel?.label ?? ''} required />
        <Field name="value" label="The address, number or text" pointer={at('value')} value={channel?.value ?? ''} />
        <Field
          name="url"
          label="What a click opens"
          hint="https:, mailto: or tel:. It may be empty."
          pointer={at('url')}
          value={channel?.url ?? ''}
        />
        <Field name="hours" label="When somebody answers" pointer={at('hours')} value={channel?.hours ?? ''} />
        <Field
          name="languages"
          label="Languages that are spoken"
          pointer={at('languages')}
          value={(channel?.languages ?? [locale]).join(', ')}
        />
        <Field
          name="id"
          label="Name for machines"
          hint="Lower case words, and the same in each language."
          pointer={at('id')}
          value={channel?.id ?? ''}
          required
        />
      </Form>
    </Dialog>
  )
}
