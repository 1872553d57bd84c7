import type { OperatorFulfilment } from '@vitrine/contract/operator'
import { Field } from '../../ui/form/form.tsx'

type Carriage = Pick<OperatorFulfilment, 'carrier' | 'trackingNumber' | 'trackingUrl'>

/** Who carries a parcel, and how it is followed. */
export function CarriageFields({ carrier, trackingNumber, trackingUrl }: Carriage) {
  return (
    <>
      <Field name="carrier" label="Carrier" value={carrier} />
      <Field name="trackingNumber" label="Tracking number" value={trackingNumber} />
      <Field name="trackingUrl" label="Address to follow it" type="url" hint="Shoppers open it." value={trackingUrl} />
    </>
  )
}

/** What was typed of it; what is empty is left out. */
export function carriageIn(fields: FormData): Carriage {
  const names = ['carrier', 'trackingNumber', 'trackingUrl'] as const
  const typed = names.map((name) => [name, String(fields.get(name) ?? '').trim()] as const)
  return Object.fromEntries(typed.filter(([, value]) => value !== ''))
}
