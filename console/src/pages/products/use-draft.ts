import type { OperatorProduct } from '@vitrine/contract/operator'
import { useRef, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { FieldError } from '../../ui/form/field-error.ts'
import { fieldErrorsOf } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { PartlySaved } from '../../ui/notice.tsx'
import type { Undo } from '../../ui/sheet.tsx'
import { cellAt, changeOf, type Draft, draftOf, isChanged, stockChanges, withStockOf } from './draft.ts'

export interface DraftState {
  /** The product as it was last saved. */
  readonly product: OperatorProduct
  readonly draft: Draft
  readonly isDirty: boolean
  readonly saving: boolean
  readonly error: unknown
  /** The last change, if it can be undone. A later change ends that: undoing would lose it. */
  readonly undo: Undo<Draft> | null
  /** The errors of the grid's cells, keyed by row and column. */
  readonly cellErrors: ReadonlyMap<string, string>
  /** Changes the current draft. With a text for the undo button, the change can be undone. */
  edit(change: (draft: Draft) => Draft, undo?: string): void
  takeBack(): void
  discard(): void
  save(): Promise<void>
}

/** The draft of a product. Only `save` stores it, and leaving the page with changes asks for confirmation. */
export function useDraft(loaded: OperatorProduct, onSaved: (product: OperatorProduct) => void): DraftState {
  const [product, setProduct] = useState(loaded)
  const saved = draftOf(product)
  const [draft, setDraft] = useState(saved)
  const [undo, setUndo] = useState<Undo<Draft> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const latest = useRef(draft)
  latest.current = draft
  const isDirty = isChanged(draft, saved)
  useUnsaved(() => isDirty && !saving)

  function edit(change: (draft: Draft) => Draft, undoText?: string): void {
    const before = latest.current
    try {
      latest.current = change(before)
    } catch (thrown) {
      setError(thrown)
      return
    }
    setDraft(latest.current)
    setUndo(undoText ? { text: undoText, draft: before } : null)
  }

  async function save(): Promise<void> {
    if (saving) return
    setSaving(true)
    setError(null)
    let result = product
    try {
      const [change, stocks] = [changeOf(draft, saved), stockChanges(draft, saved)]
      const params = { productId: product.id }
      if (Object.keys(change).length > 0) {
        result = await call('updateProduct', { params, body: { ...change, expectedVersion: product.version } })
      }
      for (const body of stocks) result = await call('setProductStock', { params, body })
      setUndo(null)
      onSaved(result)
    } catch (thrown) {
      setError(result === product ? thrown : new PartlySaved('', { cause: thrown }))
      if (result === product) return
      // Another try neither repeats what is saved, such as new variants, nor expects the version before it.
      setProduct(result)
      setDraft(withStockOf(draft, draftOf(result)))
      setUndo(null)
    } finally {
      setSaving(false)
    }
  }

  return {
    ...{ product, draft, isDirty, saving, error, undo, edit, save },
    cellErrors: cellErrorsOf(error, draft, saved),
    takeBack() {
      if (undo) setDraft(undo.draft)
      setUndo(null)
    },
    discard() {
      setDraft(saved)
      setUndo(null)
      setError(null)
    },
  }
}

function cellErrorsOf(error: unknown, draft: Draft, saved: Draft): ReadonlyMap<string, string> {
  return new Map(
    [...fieldErrorsOf(error)].flatMap(([pointer, message]) => {
      const cell = error instanceof FieldError || pointer.startsWith('/skus') ? cellAt(pointer, draft, saved) : null
      return cell === null ? [] : [[cell, message] as const]
    }),
  )
}
