import type { OperatorCategory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { inReadersLanguage, TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Branch, placesFor } from './tree.ts'

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

const typed = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim()

/** Makes a category, of the marketplace or of one store. */
export function NewCategory({ branches, onClose, onDone }: DialogProps & { readonly branches: readonly Branch[] }) {
  const [store, setStore] = useState('')
  return (
    <Dialog title="New category" onClose={onClose}>
      <Form
        submit="Make it"
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('createCategory', {
            body: {
              slug: typed(fields, 'slug'),
              parentId: typed(fields, 'parentId') || null,
              names: { en: typed(fields, 'name') },
              ...(store && { store }),
            },
          })
          onDone()
        }}
      >
        <Field
          name="name"
          label="Name"
          hint="In English; other languages can be said afterwards."
          pointer="/names/en"
          required
        />
        <Field name="slug" label="Slug" hint="What addresses call it, such as linen-shirts." required />
        <StoreChoice value={store} onChange={setStore} none="The whole marketplace" label="Who has it" />
        <Select key={store} name="parentId" label="It stands in" options={placesFor(branches, store || null, null)} />
      </Form>
    </Dialog>
  )
}

/** Renames a category, or places it among its siblings. */
export function ChangeCategory({ category, onClose, onDone }: DialogProps & { readonly category: OperatorCategory }) {
  const { id, names, descriptions, position, version } = category
  const [locales, setLocales] = useState([...new Set(['en', ...Object.keys(names)])])
  return (
    <Dialog title={`Change ${inReadersLanguage(category.names)}`} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const said = textsIn(fields, 'descriptions')
          await call('updateCategory', {
            params: { categoryId: id },
            body: {
              names: textsIn(fields, 'names'),
              ...(Object.keys(said).length > 0 && { descriptions: said }),
              position: Number(typed(fields, 'position')),
              expectedVersion: version,
            },
          })
          onDone()
        }}
      >
        <TextsFields name="names" label="Name" locales={locales} value={names} />
        <TextsFields name="descriptions" label="What stands in it" locales={locales} value={descriptions} rows={2} />
        <Field
          name="position"
          label="Place among its siblings"
          type="number"
          min={0}
          hint="Lower comes first."
          value={position}
        />
        <AddLanguage onAdd={(locale) => setLocales([...new Set([...locales, locale])])} />
      </Form>
    </Dialog>
  )
}

function AddLanguage({ onAdd }: { readonly onAdd: (locale: string) => void }) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        const locale = prompt('Which language? Such as de or pt-BR.')?.trim()
        if (locale) onAdd(locale)
      }}
    >
      Add a language
    </button>
  )
}

interface MoveProps extends DialogProps {
  readonly category: OperatorCategory
  readonly branches: readonly Branch[]
}

/** Moves a category with all that stands in it. */
export function MoveCategory({ category, branches, onClose, onDone }: MoveProps) {
  const { id, path, store, parentId, productCount, version } = category
  return (
    <Dialog title={`Move ${inReadersLanguage(category.names)}`} onClose={onClose}>
      <Form
        submit="Move it"
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('moveCategory', {
            params: { categoryId: id },
            body: {
              parentId: typed(fields, 'parentId') || null,
              slug: typed(fields, 'slug'),
              expectedVersion: version,
            },
          })
          onDone()
        }}
      >
        <Notice>
          <p>
            It moves with all that stands in it: {productCount} products are listed elsewhere then, and addresses that
            name it by its old path find it no more.
          </p>
        </Notice>
        <Select
          name="parentId"
          label="It stands in"
          value={parentId ?? ''}
          options={placesFor(branches, store, category)}
        />
        <Field name="slug" label="Slug" value={path.at(-1) ?? ''} required />
      </Form>
    </Dialog>
  )
}
