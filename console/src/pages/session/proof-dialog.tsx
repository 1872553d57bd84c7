import type { OperatorProof } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call, setProofHandler } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ProofForm } from './proof-form.tsx'

interface Asked {
  readonly methods: OperatorProof['methods']
  readonly answer: (isProven: boolean) => void
}

/** The dialog that asks for a fresh proof of identity when an operation requires one. */
export function ProofDialog() {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(() => {
    setProofHandler(async () => {
      const { methods } = await call('getOwnProof')
      const { promise, resolve } = Promise.withResolvers<boolean>()
      setAsked((before) => {
        before?.answer(false)
        return { methods, answer: resolve }
      })
      return promise
    })
    return () => setProofHandler(async () => false)
  }, [])
  if (!asked) return null
  const end = (isProven: boolean) => {
    setAsked(null)
    asked.answer(isProven)
  }
  return (
    <Dialog title={translate('Confirm your identity')} onClose={() => end(false)}>
      <ProofForm methods={asked.methods} onProven={() => end(true)} cancel={() => end(false)}>
        <p>{translate('Confirm your identity to make this change. The confirmation is valid for ten minutes.')}</p>
      </ProofForm>
    </Dialog>
  )
}
