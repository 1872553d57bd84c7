import type { OperatorInstallation } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { urlsIn } from '../../ui/format/text.ts'
import { Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Keys } from './keys.tsx'

const back = { to: '/installations', title: 'Installations' }

/** One installation: who it is, its keys, and what may be changed of it. */
export function InstallationPage({ params }: PageProps) {
  const installationId = params.installationId ?? ''
  const { answer, error, reload } = useCall(installationId, () =>
    call('getInstallation', { params: { installationId } }),
  )
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  return (
    <Page
      title={answer.name}
      back={back}
      actions={
        <>
          <Link to={`/apps?installation=${installationId}`}>Its apps</Link>
          <Link to={`/grants?installation=${installationId}`}>Its grants</Link>
          <Link to={`/audit-log?subject=${installationId}`}>Who changed it</Link>
        </>
      }
    >
      <Section title="Standing">
        <Facts
          facts={[
            ['Status', <Status key="s" value={answer.status} />],
            ['Environment', answer.environment],
            ['Store', answer.store?.slug ?? 'whole marketplace'],
            ['Id', <code key="i">{answer.id}</code>],
            ['Since', <When key="w" at={answer.createdAt} />],
          ]}
        />
      </Section>
      <Keys installationId={installationId} />
      <Section title="Change it">
        <Change installation={answer} onChanged={reload} />
      </Section>
    </Page>
  )
}

function Change({
  installation,
  onChanged,
}: {
  readonly installation: OperatorInstallation
  readonly onChanged: () => void
}) {
  const { id, name, status, origins, returnUrls, version } = installation
  return (
    <Form
      key={version}
      submit="Save"
      onSubmit={async (fields) => {
        await call('updateInstallation', {
          params: { installationId: id },
          body: {
            name: String(fields.get('name')),
            status: fields.get('status') === 'suspended' ? 'suspended' : 'active',
            origins: urlsIn(fields.get('origins')),
            returnUrls: urlsIn(fields.get('returnUrls')),
            expectedVersion: version,
          },
        })
        onChanged()
      }}
    >
      <Field name="name" label="Name" value={name} required />
      <Select
        name="status"
        label="Status"
        hint="A suspended installation is refused with each of its credentials, at once."
        value={status}
        options={[
          ['active', 'Active'],
          ['suspended', 'Suspended'],
        ]}
      />
      <TextField name="returnUrls" label="Return addresses" hint="One a line." value={returnUrls.join('\n')} />
      <TextField name="origins" label="Origins" hint="One a line." value={origins.join('\n')} />
    </Form>
  )
}
