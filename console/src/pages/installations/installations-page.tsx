import type { OperatorInstallation } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { urlsIn } from '../../ui/format/text.ts'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorInstallation>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Environment', show: ({ environment }) => environment },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Store', show: ({ store }) => store?.slug ?? 'whole marketplace' },
  { title: 'Keys', figure: true, show: ({ keyCount }) => <Count value={keyCount} /> },
  { title: 'Since', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** Who may ask: shops, apps and agents. */
export function InstallationsPage() {
  const [making, setMaking] = useState(false)
  const make = (
    <button type="button" class="primary" onClick={() => setMaking(true)}>
      Register an installation
    </button>
  )
  return (
    <>
      <ListPage
        title="Installations"
        lead="Shops, apps and agents that read the catalogue, fill carts and follow orders through the public interface."
        actions={make}
        load={(query) => call('listInstallations', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/installations/${id}`}
        empty={{
          title: 'Nobody may ask yet',
          hint: 'Register the first installation, and make a key for it.',
          action: make,
        }}
      />
      {making && <NewInstallation onClose={() => setMaking(false)} />}
    </>
  )
}

function NewInstallation({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Register an installation" onClose={onClose}>
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
        <Field name="name" label="Name" hint="Customers who sign in see it." required />
        <Select
          name="environment"
          label="Environment"
          hint="For ever: test and live never see each other."
          options={[
            ['test', 'Test'],
            ['live', 'Live'],
          ]}
        />
        <StoreChoice none="The whole marketplace" value="" />
        <TextField
          name="returnUrls"
          label="Return addresses"
          hint="One a line. Shoppers are sent back to these and nowhere else."
          rows={2}
        />
        <TextField name="origins" label="Origins" hint="One a line. Pages of these may call from a browser." rows={2} />
      </Form>
    </Dialog>
  )
}
