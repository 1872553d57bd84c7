import type { OperatorInstallation } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { asSentence, urlsIn } from '../../ui/format/text.ts'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorInstallation>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Environment', show: ({ environment }) => asSentence(environment) },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Store', show: ({ store }) => store?.slug ?? 'Entire marketplace' },
  { title: 'Keys', figure: true, show: ({ keyCount }) => <Count value={keyCount} /> },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** The clients of the public API: shops, apps and agents. */
export function InstallationsPage() {
  const [creating, setCreating] = useState(false)
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Register installation
    </button>
  )
  return (
    <>
      <ListPage
        title="Installations"
        lead="Shops, apps, and agents that use the public API to read the catalog, fill carts, and follow orders."
        actions={create}
        load={(query) => call('listInstallations', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/installations/${id}`}
        empty={{
          title: 'No installations yet',
          hint: 'Register your first installation, then create a key for it.',
          action: create,
        }}
      />
      {creating && <NewInstallation onClose={() => setCreating(false)} />}
    </>
  )
}

function NewInstallation({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Register installation" onClose={onClose}>
      <Form
        submit="Register"
        cancel={onClose}
        onSubmit={async (fields) => {
          const storeSlug = String(fields.get('storeSlug')).trim()
          const made = await call('createInstallation', {
            body: {
              name: String(fields.get('name')),
              environment: fields.get('environment') === 'live' ? 'live' : 'test',
              ...(storeSlug && { storeSlug }),
              returnUrls: urlsIn(fields.get('returnUrls')),
              origins: urlsIn(fields.get('origins')),
            },
          })
          go(`/installations/${made.id}`)
        }}
      >
        <Field name="name" label="Name" hint="Shown to customers when they sign in." required />
        <Select
          name="environment"
          label="Environment"
          hint="Cannot be changed later. Test and live data are separate."
          options={[
            ['test', 'Test'],
            ['live', 'Live'],
          ]}
        />
        <StoreChoice none="Entire marketplace" value="" />
        <TextField
          name="returnUrls"
          label="Return URLs"
          hint="One per line. Shoppers are sent back to these URLs only."
          rows={2}
        />
        <TextField
          name="origins"
          label="Allowed origins"
          hint="One per line. Pages from these origins may call the API in a browser."
          rows={2}
        />
      </Form>
    </Dialog>
  )
}
