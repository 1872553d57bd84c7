import type { OperatorInstallation } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { sentenceCase, splitLines } from '../../ui/format/text.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Keys } from './keys.tsx'

const back = { to: '/installations', title: 'Installations' }

/** One installation: status, keys and settings. */
export function InstallationPage({ params }: PageProps) {
  const installationId = params.installationId ?? ''
  const { data, error, reload } = useCall(installationId, () => call('getInstallation', { params: { installationId } }))
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  return (
    <Page
      title={data.name}
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
        <DescriptionList
          items={[
            ['Status', <Status key="s" value={data.status} />],
            ['Environment', sentenceCase(data.environment)],
            ['Store', data.store?.slug ?? 'Entire marketplace'],
            ['ID', <code key="i">{data.id}</code>],
            ['Created', <DateTime key="w" at={data.createdAt} />],
          ]}
        />
      </Section>
      <Keys installationId={installationId} />
      <Section title="Settings">
        <SettingsForm installation={data} onChanged={reload} />
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
            origins: splitLines(fields.get('origins')),
            returnUrls: splitLines(fields.get('returnUrls')),
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
