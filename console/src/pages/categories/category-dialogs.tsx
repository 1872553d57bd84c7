import type { OperatorCategory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { inReadersLanguage, TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Branch, parentOptions } from './tree.ts'

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

const typed = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim()

/** Creates a category of the marketplace or of one store. */
export function CreateCategory({ branches, onClose, onDone }: DialogProps & { readonly branches: readonly Branch[] }) {
  const [store, setStore] = useState('')
  return (
    <Dialog title="Create category" onClose={onClose}>
      <Form
        submit="Create"
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
          hint="In English. You can add other languages later."
          pointer="/names/en"
          required
        />
        <Field name="slug" label="Slug" hint="Used in URLs, such as linen-shirts." required />
        <StoreChoice value={store} onChange={setStore} none="Entire marketplace" label="Belongs to" />
        <Select
          key={store}
          name="parentId"
          label="Parent category"
          options={parentOptions(branches, store || null, null)}
        />
      </Form>
    </Dialog>
  )
}

/** Edits the name and position of a category. */
export function EditCategory({ category, onClose, onDone }: DialogProps & { readonly category: OperatorCategory }) {
  const { id, names, descriptions, position, version } = category
  const [locales, setLocales] = useState([...new Set(['en', ...Object.keys(names)])])
  return (
    <Dialog title={`Edit ${inReadersLanguage(category.names)}`} onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const texts = textsIn(fields, 'descriptions')
          await call('updateCategory', {
            params: { categoryId: id },
            body: {
              names: textsIn(fields, 'names'),
              ...(Object.keys(texts).length > 0 && { descriptions: texts }),
              position: Number(typed(fields, 'position')),
              expectedVersion: version,
            },
          })
          onDone()
        }}
      >
        <TextsFields name="names" label="Name" locales={locales} value={names} />
        <TextsFields name="descriptions" label="Description" locales={locales} value={descriptions} rows={2} />
        <Field
          name="position"
          label="Position"
          type="number"
          min={0}
          hint="Lower numbers come first."
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
        const locale = prompt('Language code, such as de or pt-BR:')?.trim()
        if (locale) onAdd(locale)
      }}
    >
      Add language
    </button>
  )
}

interface MoveProps extends DialogProps {
  readonly category: OperatorCategory
  readonly branches: readonly Branch[]
}

/** Moves a category with its subcategories and products. */
export function MoveCategory({ category, branches, onClose, onDone }: MoveProps) {
  const { id, path, store, parentId, productCount, version } = category
  return (
    <Dialog title={`Move ${inReadersLanguage(category.names)}`} onClose={onClose}>
      <Form
        submit="Move"
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
          <p>Subcategories and products move with it ({productCount} products). Links to the old path stop working.</p>
        </Notice>
        <Select
          name="parentId"
          label="Parent category"
          value={parentId ?? ''}
          options={parentOptions(branches, store, category)}
        />
        <Field name="slug" label="Slug" value={path.at(-1) ?? ''} required />
      </Form>
    </Dialog>
  )
}
