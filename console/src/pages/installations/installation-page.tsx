import type { OperatorInstallation } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { sentenceCase, splitLines } from '../../ui/format/text.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Keys } from './keys.tsx'

const back = { to: '/installations', title: translate('Installations') }

/** One installation: status, keys and settings. */
export function InstallationPage({ params }: PageProps) {
  const installationId = params.installationId ?? ''
  const { data, error, reload } = useCall(installationId, () => call('getInstallation', { params: { installationId } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  return (
    <Page
      title={data.name}
      back={back}
      actions={
        <>
          <Link to={`/apps?installation=${installationId}`}>{translate('Apps')}</Link>
          <Link to={`/grants?installation=${installationId}`}>{translate('Grants')}</Link>
          <AuditLink subject={installationId} />
        </>
      }
    >
      <Section title={translate('Overview')}>
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={data.status} />],
            [translate('Environment'), sentenceCase(data.environment)],
            [translate('Store'), data.store ? storeName(data.store.slug) : translate('Entire marketplace')],
            ['ID', <code key="i">{data.id}</code>],
            [translate('Created'), <DateTime key="w" at={data.createdAt} />],
          ]}
        />
      </Section>
      <Keys installationId={installationId} />
      <Section title={translate('Settings')}>
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
      submit={translate('Save')}
      by="updateInstallation"
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
      <Field name="name" label={translate('Name')} value={name} required />
      <Select
        name="status"
        label={translate('Status')}
        hint={translate('Suspending an installation rejects all its credentials immediately.')}
        value={status}
        options={[
          ['active', translate('Active')],
          ['suspended', translate('Suspended')],
        ]}
      />
      <TextField
        name="returnUrls"
        label={translate('Return URLs')}
        hint={translate('One per line.')}
        value={returnUrls.join('\n')}
      />
      <TextField
        name="origins"
        label={translate('Allowed origins')}
        hint={translate('One per line.')}
        value={origins.join('\n')}
      />
    </Form>
  )
}
