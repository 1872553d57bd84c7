import type { OperatorInstallation } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { asSentence, urlsIn } from '../../ui/format/text.ts'
import { Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Keys } from './keys.tsx'

const back = { to: '/installations', title: 'Installations' }

/** One installation: status, keys and settings. */
export function InstallationPage({ params }: PageProps) {
  const installationId = params.installationId ?? ''
  const { answer, error, reload } = useCall(installationId, () =>
    call('getInstallation', { params: { installationId } }),
  )
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  return (
    <Page
      title={answer.name}
      back={back}
      actions={
        <>
          <Link to={`/apps?installation=${installationId}`}>Apps</Link>
          <Link to={`/grants?installation=${installationId}`}>Grants</Link>
          <Link to={`/audit-log?subject=${installationId}`}>Audit log</Link>
        </>
      }
    >
      <Section title="Overview">
        <Facts
          facts={[
            ['Status', <Status key="s" value={answer.status} />],
            ['Environment', asSentence(answer.environment)],
            ['Store', answer.store?.slug ?? 'Entire marketplace'],
            ['ID', <code key="i">{answer.id}</code>],
            ['Created', <When key="w" at={answer.createdAt} />],
          ]}
        />
      </Section>
      <Keys installationId={installationId} />
      <Section title="Settings">
        <SettingsForm installation={answer} onChanged={reload} />
      </Section>
    </Page>
  )
}

function SettingsForm({
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
        hint="Suspending an installation rejects all its credentials immediately."
        value={status}
        options={[
          ['active', 'Active'],
          ['suspended', 'Suspended'],
        ]}
      />
      <TextField name="returnUrls" label="Return URLs" hint="One per line." value={returnUrls.join('\n')} />
      <TextField name="origins" label="Allowed origins" hint="One per line." value={origins.join('\n')} />
    </Form>
  )
}
