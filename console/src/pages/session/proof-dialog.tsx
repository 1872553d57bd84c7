import type { OperatorProof } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call, setProofHandler } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { CodeField, codeIn } from './code-field.tsx'

interface Asked {
  readonly methods: OperatorProof['methods']
  readonly answer: (isProven: boolean) => void
}

/** The place of the dialog that asks who it is, for a request that needs a fresh proof. */
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
    <Dialog title={translate('Is it you?')} onClose={() => end(false)}>
      <Form
        submit={translate('Continue')}
        cancel={() => end(false)}
        guarded={false}
        onSubmit={async (fields) => {
          const password = fields.get('password')
          await call('proveOwnSession', {
            body: { ...(password && { password: String(password) }), ...codeIn(fields) },
          })
          end(true)
        }}
      >
        <p>{translate('This change needs a fresh proof of who you are. It counts for ten minutes.')}</p>
        {asked.methods.includes('password') && (
          <Field
            name="password"
            label={translate('Your password')}
            type="password"
            autocomplete="current-password"
            required
          />
        )}
        {asked.methods.includes('code') && <CodeField />}
      </Form>
    </Dialog>
  )
}
