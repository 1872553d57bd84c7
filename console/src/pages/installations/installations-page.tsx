import type { OperatorInstallation } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { sentenceCase, splitLines } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorInstallation>[] = [
  { title: translate('Name'), show: ({ name }) => name },
  { title: translate('Environment'), show: ({ environment }) => sentenceCase(environment) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Store'), show: ({ store }) => (store ? storeName(store.slug) : translate('Entire marketplace')) },
  { title: translate('Keys'), numeric: true, show: ({ keyCount }) => <Count value={keyCount} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
]

/** The clients of the public API: shops, apps and agents. */
export function InstallationsPage() {
  const [creating, setCreating] = useState(false)
  const create = (
    <Allowed by="createInstallation">
      <button type="button" class="primary" onClick={() => setCreating(true)}>
        {translate('Register installation')}
      </button>
    </Allowed>
  )
  return (
    <>
      <ListPage
        title={translate('Installations')}
        lead={translate(
          'Shops, apps, and agents that use the public API to read the catalog, fill carts, and follow orders.',
        )}
        actions={create}
        load={(query) => call('listInstallations', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/installations/${id}`}
        empty={{
          title: translate('No installations yet'),
          hint: translate('Register your first installation, then create a key for it.'),
          action: create,
        }}
      />
      {creating && <NewInstallation onClose={() => setCreating(false)} />}
    </>
  )
}

function NewInstallation({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={translate('Register installation')} onClose={onClose}>
      <Form
        submit={translate('Register')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const storeSlug = String(fields.get('storeSlug')).trim()
          const installation = await call('createInstallation', {
            body: {
              name: String(fields.get('name')),
              environment: fields.get('environment') === 'live' ? 'live' : 'test',
              ...(storeSlug && { storeSlug }),
              returnUrls: splitLines(fields.get('returnUrls')),
              origins: splitLines(fields.get('origins')),
            },
          })
          navigate(`/installations/${installation.id}`)
        }}
      >
        <Field
          name="name"
          label={translate('Name')}
          hint={translate('Shown to customers when they sign in.')}
          required
        />
        <Select
          name="environment"
          label={translate('Environment')}
          hint={translate('Cannot be changed later. Test and live data are separate.')}
          options={[
            ['test', translate('Test')],
            ['live', translate('Live')],
          ]}
        />
        <StoreSelect none={translate('Entire marketplace')} value="" />
        <TextField
          name="returnUrls"
          label={translate('Return URLs')}
          hint={translate('One per line. Shoppers are sent back to these URLs only.')}
          rows={2}
        />
        <TextField
          name="origins"
          label={translate('Allowed origins')}
          hint={translate('One per line. Pages from these origins may call the API in a browser.')}
          rows={2}
        />
      </Form>
    </Dialog>
  )
}
