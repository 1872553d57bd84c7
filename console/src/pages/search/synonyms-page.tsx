import type { OperatorSearchSynonyms } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Form } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { DateTime } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ask } from '../../ui/question.tsx'
import { backToSearch } from './paths.ts'
import { ShippedSynonyms } from './shipped-synonyms.tsx'
import { readSynonyms, SynonymFields, synonymsText } from './synonym-fields.tsx'

const DELETE = {
  title: translate('Delete these synonyms?'),
  consequences: translate('Shoppers no longer find products by them.'),
  action: translate('Delete'),
}

type Open = OperatorSearchSynonyms | 'new' | null

/** The synonyms that operators added, and those that ship with Vitrine. */
export function SynonymsPage() {
  const [open, setOpen] = useState<Open>(null)
  const [round, setRound] = useState(0)
  // Also after Cancel: an attempt whose answer was lost may have changed them.
  const close = () => {
    setOpen(null)
    setRound(round + 1)
  }
  const columns: readonly Column<OperatorSearchSynonyms>[] = [
    { title: translate('Words'), wide: true, show: synonymsText },
    {
      title: translate('Language'),
      show: ({ language }) => (language === null ? translate('All') : languageName(language)),
    },
    { title: translate('Updated'), show: ({ updatedAt }) => <DateTime at={updatedAt} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (synonyms) => (
        <Allowed by="updateSearchSynonyms">
          <button type="button" onClick={() => setOpen(synonyms)}>
            {translate('Edit')}
            <span class="hidden"> {synonymsText(synonyms)}</span>
          </button>
        </Allowed>
      ),
    },
  ]
  const add = (
    <Allowed by="createSearchSynonyms">
      <button type="button" class="primary" onClick={() => setOpen('new')}>
        {translate('Add synonyms')}
      </button>
    </Allowed>
  )
  return (
    <>
      <ListPage
        key={round}
        title={translate('Synonyms')}
        back={backToSearch}
        lead={translate('Words that find the same products, in addition to those that ship with Vitrine.')}
        actions={add}
        load={(query) => call('listSearchSynonyms', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        empty={{
          title: translate('No synonyms yet'),
          hint: translate('Add words that shoppers use and your products do not.'),
          action: add,
        }}
      />
      <ShippedSynonyms />
      {open && <SynonymsDialog synonyms={open === 'new' ? null : open} onClose={close} onDone={close} />}
    </>
  )
}

interface SynonymsDialogProps {
  readonly synonyms: OperatorSearchSynonyms | null
  readonly onClose: () => void
  readonly onDone: () => void
}

function SynonymsDialog({ synonyms, onClose, onDone }: SynonymsDialogProps) {
  const params = { synonymsId: synonyms?.id ?? '' }
  const expectedVersion = synonyms?.version ?? 0
  return (
    <Dialog title={synonyms ? translate('Edit synonyms') : translate('Add synonyms')} onClose={onClose}>
      <Form
        submit={translate('Save')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const body = readSynonyms(fields)
          if (synonyms) await call('updateSearchSynonyms', { params, body: { ...body, expectedVersion } })
          else await call('createSearchSynonyms', { body })
          onDone()
        }}
      >
        <SynonymFields synonyms={synonyms} />
      </Form>
      {synonyms && (
        <Form
          submit={translate('Delete')}
          danger
          onSubmit={async () => {
            if (!(await ask(DELETE))) return false
            await call('deleteSearchSynonyms', { params, query: { expectedVersion } })
            onDone()
          }}
        />
      )}
    </Dialog>
  )
}
