import { eventKinds } from 'virtual:contract-enums'
import type { OperatorIntegration } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field, Form, Select } from '../../ui/form/form.tsx'

/** The event kinds for integrations. Events of checkouts and carts go only to their installation. */
const KINDS = eventKinds.filter((kind) => /^(order|after_sales|catalog)\./.test(kind))

interface NewEndpointProps {
  readonly integration: OperatorIntegration
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}

/** Adds a webhook endpoint to an integration. */
export function NewEndpoint({ integration: { id: integrationId }, onClose, onCreated }: NewEndpointProps) {
  return (
    <Dialog title={translate('Add webhook')} onClose={onClose}>
      <Form
        submit={translate('Add')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const { secret } = await call('createIntegrationWebhook', {
            params: { integrationId },
            body: {
              environment: fields.get('environment') === 'live' ? 'live' : 'test',
              url: String(fields.get('url')),
              events: KINDS.filter((kind) => fields.has(kind)),
            },
          })
          if (secret === undefined)
            throw new Error(
              translate(
                'The webhook was added by an earlier attempt, but its secret was not shown. Rotate its secret.',
              ),
            )
          onCreated(secret)
        }}
      >
        <Field
          name="url"
          label={translate('URL')}
          type="url"
          hint={translate('A public address that begins with https://.')}
          required
        />
        <Select
          name="environment"
          label={translate('Environment')}
          options={[
            ['live', translate('Live')],
            ['test', translate('Test')],
          ]}
        />
        <fieldset>
          <legend>{translate('Events')}</legend>
          {KINDS.map((kind) => (
            <Check key={kind} name={kind} label={kind} checked={!kind.startsWith('catalog')} />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}
